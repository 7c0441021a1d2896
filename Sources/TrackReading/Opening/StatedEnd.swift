// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
package import Media

extension TrackFormat {
    /// Determines whether a file reaches the end that its container states: the last frame of MP4, FLAC or WAV, or the
    /// mark of the end of Ogg or of fragmented MP4. Reads the beginning, the tables and the last megabyte of the file.
    /// - Parameter source: a source of known length whose bytes have all arrived.
    /// - Returns: `nil` if the file states no end, or continues in a format that Earshot cannot play.
    package static func statedEnd(of source: any ByteSource) -> StatedEnd? {
        guard let kind = TrackFormatSearch.container(of: source), kind.numbersPackets,
            let total = source.downloadProgress.total
        else { return nil }
        var search = EndSearch(of: kind, source)
        return search.result(in: total)
    }
}

/// A walk to the last packet of a file.
private struct EndSearch {
    /// No packet, and no page of Ogg, is as long.
    private static let tail: Int64 = 1 << 20
    private static let mostBoxes = 1000

    private let kind: ContainerKind
    private var parser: any ContainerParser
    private let source: any ByteSource
    private var track: AudioTrack?
    /// The frame after the last packet read.
    private var reached: Int64?
    /// The failure that ended the walk.
    private var failure: MediaFailure?

    init(of kind: ContainerKind, _ source: any ByteSource) {
        (self.kind, parser, self.source) = (kind, kind.makeParser(), source)
    }

    /// - Returns: `nil` if the file states no end, or if it is unknown because the sound there cannot be played.
    mutating func result(in total: Int64) -> StatedEnd? {
        // Without it, the index before one fragment counts as that of the file.
        parser.totalLength = total
        let hasPackets = readPacket()
        let stated = parser.statedFrames
        // Without a track, the file ends in its header, or before the table that follows the sound.
        let missing = StatedEnd.missing(kind == .ogg || stated == nil && track != nil ? .mark : .length)
        guard hasPackets else { return isRefused && endsWithBox(total) != false ? nil : missing }
        if total > 2 * Self.tail { parser.synchronize(from: total - Self.tail) }
        while readPacket() {}
        guard parser.isDone, !parser.isCutOff else { return missing }
        if kind == .ogg || kind == .mp4 && endsWithFragmentTable(total) { return .reached }
        // The boxes after the sound may state its true start and end.
        let isAtBox = endsWithBox(total)
        if isAtBox == false { return missing }
        guard parser.refusal == nil, let stated, let reached else { return nil }
        if reached + parser.statedTolerance < min(stated, track?.end ?? stated) { return missing }
        return isAtBox == nil ? nil : .reached
    }

    /// True if Earshot cannot play the sound. A parser may also refuse a stream beside one that it reads.
    private var isRefused: Bool { failure != nil && failure == parser.refusal }

    /// Returns true if the file ends with the table of its fragments (`mfra`), whose last box is `mfro`.
    /// Source: ISO/IEC 14496-12 section 8.8.11.
    private func endsWithFragmentTable(_ total: Int64) -> Bool {
        source.bytes(at: total - 16, count: 8) == [0, 0, 0, 16] + Array("mfro".utf8)
    }

    /// Returns true if the file ends where one of its boxes does, or has none; `nil` if it has too many boxes.
    private func endsWithBox(_ total: Int64) -> Bool? {
        guard kind == .mp4 else { return true }
        var offset: Int64 = 0
        for _ in 0..<Self.mostBoxes {
            guard offset < total else { return true }
            guard let end = MP4Parser.end(ofBox: source.bytes(at: offset, count: 16), at: offset, in: total) else {
                return false
            }
            offset = end
        }
        return nil
    }

    /// - Returns: false after the last packet.
    private mutating func readPacket() -> Bool {
        while let event = parser.next(reading: source) {
            switch event {
            case .packet(let packet):
                reached = packet.frame.map { $0 + Int64(packet.frames) }
                return true
            case .track(let track): self.track = track
            case .metadata, .chapters, .gain, .garbage: continue
            case .failed(let failure):
                self.failure = failure
                return false
            }
        }
        return false
    }
}
