// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A search for the end of a FLAC frame, whose header does not state its length: the place where the frame's checksum
/// is right and another header follows. If a damaged header or unknown bytes follow, the subframes lead to the end.
/// Source: RFC 9639 section 9.
struct FLACFrameScan: Sendable {
    enum Outcome {
        case needsBytes
        /// The frame ends at this offset.
        case end(Int64)
        /// The frame is damaged; a later one begins at this offset.
        case damaged(next: Int64)
        /// The frame is damaged or truncated, or none begins here.
        case lost
    }

    let header: FLACFrameHeader
    let start: Int64
    /// The offset up to which the bytes were examined, and their checksum.
    private(set) var position: Int64
    private var checksum: UInt16
    private let info: FLACStreamInfo
    private let limit: Int64
    /// The first offset at which the checksum is right and a damaged header follows.
    private var endBeforeDamage: Int64?
    /// The offset since which the checksum is right and all bytes are zeros, as in padding.
    private var endBeforeZeros: Int64?

    /// The number of frames that may be missing between a damaged frame and the next one.
    private static let longestGap: Int64 = 64

    /// - Parameter window: Must contain the header, at `start`.
    init(_ header: FLACFrameHeader, at start: Int64, _ info: FLACStreamInfo, in window: ByteWindow) {
        (self.header, self.start, self.info) = (header, start, info)
        // The shortest frame has a byte for each channel and a checksum.
        position = start + Int64(header.length)
        checksum = window.withBytes(of: start..<position) { FLACFrameChecksum.extended(0, by: $0) }
        limit = start + header.longestFrame(in: info)
    }

    mutating func advance(in window: ByteWindow) -> Outcome {
        while true {
            if position > start + Int64(header.length), let outcome = examine(window) { return outcome }
            guard position < window.end else { return window.isClosed ? end(at: window.end, in: window) : .needsBytes }
            guard position < limit else { return end(at: limit, in: window) }
            pass(window)
        }
    }

    /// Passes bytes up to the next place at which the frame may end.
    private mutating func pass(_ window: ByteWindow) {
        let (start, rest) = (position, checksum)
        if rest == 0, window.byte(at: start) != 0 { endBeforeZeros = nil }
        let range = start..<min(window.end, limit)
        (position, checksum) = window.withBytes(of: range) { bytes in
            FLACFrameChecksum.withTable { table in
                var (index, checksum) = (0, rest)
                repeat {
                    checksum = FLACFrameChecksum.next(checksum, bytes[index], table)
                    index += 1
                } while checksum != 0 && index < bytes.count && bytes[index] != 0xFF
                return (start + Int64(index), checksum)
            }
        }
    }

    /// Returns the outcome if this place decides it.
    private mutating func examine(_ window: ByteWindow) -> Outcome? {
        guard let byte = window.byte(at: position) else { return nil }
        if byte == 0xFF { return examineHeader(window) }
        guard checksum == 0 else { return nil }
        endBeforeZeros = endBeforeZeros ?? position
        let tags = [
            FLACMarker.find(in: window, at: position).isFound, TrailingTag.length(in: window, at: position).isFound,
        ]
        if tags.contains(true) { return .end(position) }
        return tags.contains(nil) ? .needsBytes : nil
    }

    private mutating func examineHeader(_ window: ByteWindow) -> Outcome? {
        let bytes = window.prefix(FLACFrameHeader.longest, at: position)
        switch FLACFrameHeader.parse(bytes, isWhole: window.isClosed) {
        case .undecided: return .needsBytes
        case .found(let next) where next.matches(info):
            if checksum == 0 { return .end(position) }
            guard mayFollow(next) else { return nil }
            return intactEnd(in: window, before: position).map { .end($0) } ?? .damaged(next: position)
        case .found, .absent:
            guard checksum == 0 else { return nil }
            if bytes.dropFirst().first.map({ $0 & 0xFE == 0xF8 }) ?? false {
                endBeforeDamage = endBeforeDamage ?? position
            }
            return nil
        }
    }

    /// Returns true if a header is one of the next frames'.
    private func mayFollow(_ next: FLACFrameHeader) -> Bool {
        guard next.isVariable == header.isVariable else { return false }
        let unit = header.isVariable ? Int64(info.blockSizes.upperBound) : 1
        return 1...(Self.longestGap * unit) ~= next.number - header.number
    }

    /// Ends the search at the end of the file, or after the longest possible frame.
    private func end(at offset: Int64, in window: ByteWindow) -> Outcome {
        guard checksum == 0 else {
            return intactEnd(in: window, before: offset).map { .end($0) } ?? .lost
        }
        // A checksum may itself end with a zero.
        let padding = offset - (endBeforeZeros ?? offset)
        return .end(padding > 1 ? offset - padding : offset)
    }

    /// Returns the end of the frame if it is intact, and a damaged frame or unknown bytes follow it; otherwise `nil`.
    private func intactEnd(in window: ByteWindow, before offset: Int64) -> Int64? {
        endBeforeDamage ?? endOfSubframes(in: window, before: offset)
    }

    /// Returns the end of the frame by its subframes; `nil` if they are damaged or end after `offset`.
    private func endOfSubframes(in window: ByteWindow, before offset: Int64) -> Int64? {
        let bytes = window.prefix(Int(offset - start), at: start)
        guard let length = FLACSubframes.frameLength(header, in: bytes, info) else { return nil }
        let end = start + Int64(length)
        return window.withBytes(of: start..<end) { FLACFrameChecksum.isValid($0) } ? end : nil
    }
}

extension Lookup {
    /// True or false if the lookup is decided.
    fileprivate var isFound: Bool? {
        switch self {
        case .found: true
        case .absent: false
        case .undecided: nil
        }
    }
}
