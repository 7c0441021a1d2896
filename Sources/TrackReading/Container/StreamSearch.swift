// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media

/// A search for the next stream of a file that joins several, as `cat` does with Ogg, FLAC and fragmented MP4 files.
/// The numbers of the packets begin again there.
struct StreamSearch {
    enum Outcome {
        case found
        /// No stream begins in the bytes that have arrived without a gap.
        case notFound
        /// More bytes wait to be searched.
        case unfinished
    }

    private static let blockLength = 256 << 10

    private let kind: ContainerKind
    /// The bytes searched at a time: those of a long FLAC file take seconds to read from a slow disk.
    private let stepLength: Int64
    /// The offset of the last start that was found; `nil` before one is found.
    private(set) var start: Int64?
    /// The end of the bytes searched; in MP4, the offset of the next box.
    private(set) var end: Int64 = 0
    /// True if bytes that have arrived wait to be searched.
    private(set) var isUnfinished = false
    /// True if the numbers of packets after those bytes were compared, which is tried once.
    private(set) var hasComparedNumbers = false
    /// True if the numbers of packets begin again although no other stream begins; `nil` before that is examined.
    var restartsNumbers: Bool?
    /// True if a fragment of MP4 was found, and the offset of the first `moov` after the fragments so far.
    private var (hasFragments, movie): (Bool, Int64?) = (false, nil)

    init(_ kind: ContainerKind, stepLength: Int64 = 8 << 20) { (self.kind, self.stepLength) = (kind, stepLength) }

    /// Searches the bytes after an offset, which never decreases, as far as they have arrived without a gap.
    mutating func findStart(after offset: Int64, in source: any ByteSource) -> Outcome {
        let outcome = search(after: offset, in: source)
        isUnfinished = outcome == .unfinished
        return outcome
    }

    private mutating func search(after offset: Int64, in source: any ByteSource) -> Outcome {
        if let start, start > offset { return .found }
        if kind == .mp4 { return findMovie(after: offset, in: source) }
        end = max(end, offset + 1)
        let limit = end + stepLength
        while end < limit {
            let bytes = source.bytes(at: end, count: Self.blockLength)
            guard bytes.count >= ContainerKind.streamStartLength else { return .notFound }
            if let index = bytes.withUnsafeBytes({ kind.streamStart(in: $0) }) {
                start = end + Int64(index)
                end += Int64(index + 1)
                return .found
            }
            // A start may lie across the end of these bytes.
            end += Int64(bytes.count - ContainerKind.streamStartLength + 1)
        }
        return .unfinished
    }

    /// The boxes examined at a time: each may be another place of a slow disk.
    private static let mostBoxes = 256
    /// The longest header of a box of MP4.
    private static let longestHeader = 16

    /// Searches the boxes of a fragmented MP4 file for a `moov` that follows fragments and has fragments of its own.
    private mutating func findMovie(after offset: Int64, in source: any ByteSource) -> Outcome {
        guard let total = source.downloadProgress.total else { return .notFound }
        for _ in 0..<Self.mostBoxes {
            let header = source.bytes(at: end, count: Self.longestHeader)
            guard let next = MP4Parser.end(ofBox: header, at: end, in: total) else { return .notFound }
            switch String(decoding: header[4..<8], as: UTF8.self) {
            case "moov" where hasFragments: movie = movie ?? end
            case "moof":
                hasFragments = true
                start = movie.take() ?? start
            default: break
            }
            end = next
            if let start, start > offset { return .found }
        }
        return .unfinished
    }

    /// Records a comparison of the packets after the bytes searched.
    /// - Parameter end: the end of the file if they show that no other stream follows; otherwise `nil`.
    mutating func compared(upTo end: Int64?) {
        hasComparedNumbers = true
        if end != nil { restartsNumbers = false }
        self.end = max(self.end, end ?? 0)
    }
}
