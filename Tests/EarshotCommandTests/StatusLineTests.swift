// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import Testing

@testable import TerminalInterface

@Suite("StatusLine")
struct StatusLineTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let status: PlayerStatus
        let width: Int
        let line: String
        var testDescription: String { "\(name) at \(width)" }

        init(_ name: String, _ status: PlayerStatus, _ width: Int, _ line: String) {
            (self.name, self.status, self.width, self.line) = (name, status, width, line)
        }
    }

    static let table: [Row] = [
        Row(
            "playing", Statuses.playing, 120,
            "playing  The Weather Letters – Rain on the old harbour"
                + "  ━━━━━━━━●────────····─···  19:35 / ~58:20  1.2 MB/s, 15 MB left"),
        Row(
            "playing", Statuses.playing, 80,
            "playing  Rain on the old har…  ━━━●───·─·  19:35 / ~58:20  1.2 MB/s, 15 MB left"),
        Row("playing", Statuses.playing, 60, "playing Rain on the old h… ━━━●──·─· 19:35 / ~58:20 1.2 MB/s"),
        Row("playing", Statuses.playing, 40, "▶ Rain on the old… ━━●──·─· 19:35/~58:20"),
        Row("playing", Statuses.playing, 20, "▶ Rain… 19:35/~58:20"),
        Row(
            "buffering", Statuses.buffering, 120,
            "buffering, about 9 s  Rain on the old harbour  ━━━━━━━━━━━━━━━━━━━━━━●·····──····"
                + "  38:53 / ~58:20  1.2 MB/s, 15 MB left"),
        Row(
            "buffering", Statuses.buffering, 80,
            "buffering, about 9 s  Rain on the old har…  ━━━━━━●·─·  38:53 / ~58:20  1.2 MB/s"),
        Row("buffering", Statuses.buffering, 60, "… buffering, about 9 s ━━━━━━━━●··─· 38:53 / ~58:20 1.2 MB/s"),
        Row("buffering", Statuses.buffering, 40, "… about 9 s ━━━━━━━━━●··─·· 38:53/~58:20"),
        Row("buffering", Statuses.buffering, 20, "… ~9 s 38:53/~58:20"),
        Row(
            "complete", Statuses.complete, 120,
            "playing  2/5 Rain on the old harbour  ━━━━━━━━━━━━●───────────────────────────"
                + "    19:35 / 1:02:05 vol 80%  on disk"),
        Row(
            "complete", Statuses.complete, 80,
            "playing  2/5 Rain on the old h…  ━━━●───────    19:35 / 1:02:05 vol 80%  on disk"),
        Row(
            "repeating", Statuses.repeating, 120,
            "playing  2/5 Rain on the old harbour  ━━━━━━━━━━━●───────────────────────"
                + "    19:35 / 1:02:05 vol 80% repeat all  on disk"),
        Row("repeating", Statuses.repeating, 40, "▶ 2/5 Rain on th… ━━●───── 19:35/1:02:05"),
        Row("complete", Statuses.complete, 60, "▶ 2/5 Rain on the old… ━━━●──────   19:35 / 1:02:05 vol 80%"),
        Row("complete", Statuses.complete, 40, "▶ 2/5 Rain on th… ━━●───── 19:35/1:02:05"),
        Row("complete", Statuses.complete, 20, "▶ 19:35/1:02:05"),
        Row(
            "wide", Statuses.wide, 120,
            "playing  港の雨 と[31m長い長い長い長い題名の話  ━━━━━━━━━━━●──────────·····──····  19:35 / ~58:20  1.2 MB/s, 15 MB left"),
        Row("wide", Statuses.wide, 80, "playing  港の雨 と[31m長い長…  ━━━●───·─·  19:35 / ~58:20  1.2 MB/s, 15 MB left"),
        Row("wide", Statuses.wide, 60, "playing 港の雨 と[31m長い… ━━━●──·─· 19:35 / ~58:20 1.2 MB/s"),
        Row("wide", Statuses.wide, 40, "▶ 港の雨 と[31m長… ━━●──·─· 19:35/~58:20"),
        Row("wide", Statuses.wide, 20, "▶ 港の… 19:35/~58:20"),
        Row(
            "loading", Statuses.loading, 120,
            "loading  The Weather Letters – Rain on the old harbour  0:00 / ?  connecting"),
        Row(
            "loading", Statuses.loading, 80,
            "loading  The Weather Letters – Rain on the old harbour  0:00 / ?  connecting"),
        Row("loading", Statuses.loading, 60, "loading Rain on the old harbour 0:00 / ? connecting"),
        Row("resuming", Statuses.resuming, 60, "loading Rain on the old harbour 45:00 / ? connecting"),
        Row("loading", Statuses.loading, 40, "… loading 0:00/?"),
        Row("loading", Statuses.loading, 20, "… loading 0:00/?"),
    ]

    @Test("The layout depends on the width", arguments: table)
    func golden(row: Row) {
        #expect(StatusLine.render(row.status, width: row.width, style: LineStyle()) == row.line)
    }

    static let everyStatus: [PlayerStatus] = [
        Statuses.playing, Statuses.buffering, Statuses.complete, Statuses.wide, Statuses.loading, PlayerStatus(),
        PlayerStatus(activity: .noDevice(reason: "gone"), item: Statuses.item, position: .seconds(-1), volume: .nan),
        PlayerStatus(
            activity: .paused(waiting: true), item: Statuses.item, position: .seconds(1_000_000_000),
            duration: .declared(.zero), buffered: [.seconds(-5)..<(.seconds(1 << 40))],
            downloadProgress: DownloadProgress(
                condition: .backingOff(.init(reason: "x")), total: 0, bytesPerSecond: .infinity),
            volume: 1e300),
    ]

    @Test("The line never exceeds the width", arguments: everyStatus)
    func neverTooWide(status: PlayerStatus) {
        for width in -1...200 {
            for glyphs in [LineStyle.Glyphs.unicode, .ascii] {
                let line = StatusLine.render(status, width: width, style: LineStyle(glyphs: glyphs))
                #expect(line.terminalColumns <= max(0, width))
            }
        }
    }

    @Test("Without UTF-8 the line is ASCII, and no line contains a control character", arguments: everyStatus)
    func characters(status: PlayerStatus) {
        let ascii = StatusLine.render(status, width: 100, style: LineStyle(glyphs: .ascii))
        #expect(ascii.utf8.allSatisfy { (0x20...0x7E).contains($0) })
        let unicode = StatusLine.render(status, width: 100, style: LineStyle())
        #expect(unicode.unicodeScalars.allSatisfy { ![.control, .format].contains($0.properties.generalCategory) })
    }

    @Test("Colour changes only the colour", arguments: everyStatus)
    func colour(status: PlayerStatus) {
        let plain = StatusLine.render(status, width: 80, style: LineStyle())
        let coloured = StatusLine.render(status, width: 80, style: LineStyle(colour: true))
        #expect(coloured.replacing(/\u{1B}\[[0-9;]*m/, with: "") == plain)
    }

    @Test("A download without a confirmed length is not called complete")
    func unverified() {
        var status = Statuses.complete
        status.downloadProgress?.unverified = .init(promised: nil)
        #expect(StatusLine.render(status, width: 120, style: LineStyle()).hasSuffix("  perhaps incomplete"))
    }

    @Test("An item of a player at rest is stopped")
    func stopped() {
        var status = Statuses.complete
        status.activity = .idle
        #expect(StatusLine.render(status, width: 80, style: LineStyle()).hasPrefix("stopped "))
        #expect(StatusLine.render(PlayerStatus(), width: 80, style: LineStyle()).hasPrefix("waiting"))
    }

    @Test("Growing figures do not move the bar")
    func steady() {
        var status = Statuses.playing
        let before = StatusLine.render(status, width: 80, style: LineStyle())
        status.downloadProgress?.bytesPerSecond = 987_000
        status.position = .seconds(1176)
        let after = StatusLine.render(status, width: 80, style: LineStyle())
        #expect(before.prefix { $0 != "/" }.count == after.prefix { $0 != "/" }.count)
    }
}

@Suite("DownloadBar")
struct ArrivalBarTests {
    private func drawn(_ status: PlayerStatus, cells: Int = 10) -> String? {
        DownloadBar(status, cells: cells)?.rendered(.ascii).map(\.text).joined()
    }

    private func status(
        at position: Duration? = nil, of duration: MediaDuration = .exact(.seconds(100)),
        buffered: [Range<Duration>] = [], downloadProgress: DownloadProgress? = nil
    ) -> PlayerStatus {
        PlayerStatus(
            activity: .playing, item: Statuses.item, position: position, duration: duration, buffered: buffered,
            downloadProgress: downloadProgress)
    }

    @Test("Every extent is drawn, with the playhead on top")
    func extents() {
        let status = status(
            at: .seconds(15), buffered: [.zero..<(.seconds(30)), .seconds(50)..<(.seconds(70))])
        #expect(drawn(status) == "=O-..--...")
    }

    @Test("An extent smaller than a cell is drawn in its cell")
    func smallExtent() {
        #expect(drawn(status(buffered: [.seconds(51)..<(.seconds(52))])) == ".....-....")
        #expect(drawn(status(buffered: [.milliseconds(99_990)..<(.seconds(100))])) == ".........-")
    }

    @Test("The playhead stays on the bar at the end and after the end of an estimate")
    func playheadAtEnd() {
        #expect(drawn(status(at: .seconds(100), buffered: [.zero..<(.seconds(100))])) == "=========O")
        #expect(drawn(status(at: .seconds(500), buffered: [.zero..<(.seconds(100))])) == "=========O")
    }

    @Test("The bar shows bytes if the duration is unknown; without both it is not drawn")
    func unknown() {
        let downloadProgress = DownloadProgress(
            condition: .receiving, total: 1000, extents: ByteRangeSet([0..<300, 800..<1000]))
        #expect(drawn(status(of: .unknown, downloadProgress: downloadProgress)) == "---.....--")
        #expect(drawn(status(of: .unknown)) == nil)
        #expect(drawn(status()) == "..........")
    }

    @Test("A complete download is drawn as complete, regardless of the buffered times")
    func complete() {
        let downloadProgress = DownloadProgress(condition: .complete, total: 1000, extents: ByteRangeSet([0..<1000]))
        #expect(
            drawn(status(at: .zero, buffered: [.zero..<(.seconds(3))], downloadProgress: downloadProgress))
                == "O---------")
    }
}
