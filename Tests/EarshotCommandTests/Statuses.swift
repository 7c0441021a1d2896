// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback

/// Example statuses.
enum Statuses {
    static let item = PlaybackItem(
        id: 0, title: "Rain on the old harbour", podcast: "The Weather Letters",
        location: "http://example.net/rain.mp3")

    /// A third is played, two thirds are downloaded, and another extent follows after a gap.
    static let playing = PlayerStatus(
        activity: .playing, item: item, itemNumber: 1, itemCount: 1, position: .seconds(1175),
        duration: .estimated(.seconds(3500)), buffered: [.zero..<(.seconds(2333)), .seconds(2900)..<(.seconds(3100))],
        downloadProgress: DownloadProgress(
            condition: .receiving, total: 56_000_000,
            extents: ByteRangeSet([0..<37_000_000, 46_000_000..<50_000_000]), bytesPerSecond: 1_240_000),
        stallRisk: StallRisk(chance: 0.07, time: nil))

    static var buffering: PlayerStatus {
        var status = playing
        status.activity = .buffering
        status.wait = .init(waited: .seconds(6), expected: .seconds(9))
        status.position = .seconds(2333)
        return status
    }

    static var complete: PlayerStatus {
        var status = playing
        status.duration = .exact(.seconds(3725))
        status.downloadProgress = DownloadProgress(
            condition: .complete, total: 56_000_000, extents: ByteRangeSet([0..<56_000_000]))
        status.buffered = [.zero..<(.seconds(3725))]
        status.volume = 0.8
        status.itemNumber = 2
        status.itemCount = 5
        return status
    }

    static var repeating: PlayerStatus {
        var status = complete
        status.repeatMode = .all
        return status
    }

    static var wide: PlayerStatus {
        var status = playing
        status.item = PlaybackItem(
            id: 0, title: "港の雨 \u{202E}と\u{1B}[31m長い長い長い長い題名の話", podcast: nil, location: "x")
        return status
    }

    static let loading = PlayerStatus(
        activity: .loading, item: item, itemNumber: 1, itemCount: 1,
        downloadProgress: DownloadProgress(condition: .connecting))

    /// An item that starts at 45 minutes.
    static let resuming = PlayerStatus(
        activity: .loading,
        item: PlaybackItem(
            id: 0, title: item.title, podcast: item.podcast, location: item.location, start: .time(.seconds(2700))),
        itemNumber: 1, itemCount: 1, downloadProgress: DownloadProgress(condition: .connecting))
}
