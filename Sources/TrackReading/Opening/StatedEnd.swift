// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
package import Media

extension TrackFormat {
    /// Returns true if a file reaches the end that its container states: the last frame of MP4, FLAC or WAV, or the
    /// mark of the end of Ogg or of fragmented MP4; false if it ends before. Reads the beginning, the tables and the
    /// last megabyte of the file.
    /// - Parameter source: a source of known length whose bytes have all arrived.
    /// - Returns: `nil` if the file states no end.
    package static func reachesStatedEnd(_ source: any ByteSource) -> Bool? {
        guard let kind = TrackFormatSearch.container(of: source), kind.numbersPackets,
            let total = source.downloadProgress.total
        else { return nil }
        var end = StatedEnd(of: kind, source)
        return end.isReached(in: total)
    }
}

/// A walk to the last packet of a file.
private struct StatedEnd {
    /// No packet, and no page of Ogg, is as long.
    private static let tail: Int64 = 1 << 20
    private static let mostBoxes = 1000

    private let kind: ContainerKind
    private var parser: any ContainerParser
    private let source: any ByteSource
    private var track: AudioTrack?
    /// The frame after the last packet read.
    private var reached: Int64?

    init(of kind: ContainerKind, _ source: any ByteSource) {
        (self.kind, parser, self.source) = (kind, kind.makeParser(), source)
    }

    /// - Returns: `nil` if the file states no end.
    mutating func isReached(in total: Int64) -> Bool? {
        // Without it, the index before one fragment counts as that of the file.
        parser.totalLength = total
        guard readPacket() else { return false }
        let stated = parser.statedFrames
        if total > 2 * Self.tail { parser.synchronize(from: total - Self.tail) }
        while readPacket() {}
        guard parser.isDone, !parser.isCutOff else { return false }
        if kind == .ogg || kind == .mp4 && endsWithFragmentTable(total) { return true }
        // The boxes after the sound may state its true start and end.
        guard kind != .mp4 || endsWithBox(total) else { return false }
        guard let stated, let reached else { return nil }
        return reached + parser.statedTolerance >= min(stated, track?.end ?? stated)
    }

    /// Returns true if the file ends with the table of its fragments (`mfra`), whose last box is `mfro`.
    /// Source: ISO/IEC 14496-12 section 8.8.11.
    private func endsWithFragmentTable(_ total: Int64) -> Bool {
        source.bytes(at: total - 16, count: 8) == [0, 0, 0, 16] + Array("mfro".utf8)
    }

    /// Returns true if the file ends where one of its boxes does.
    private func endsWithBox(_ total: Int64) -> Bool {
        var offset: Int64 = 0
        for _ in 0..<Self.mostBoxes {
            guard offset < total else { return true }
            guard let end = MP4Parser.end(ofBox: source.bytes(at: offset, count: 16), at: offset, in: total) else {
                return false
            }
            offset = end
        }
        return false
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
            case .failed: return false
            }
        }
        return false
    }
}
