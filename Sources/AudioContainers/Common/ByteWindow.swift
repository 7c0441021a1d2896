// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The section of a file that a parser buffers. Appended bytes extend it; a jump replaces it.
///
/// A parser that follows tables states the range it needs with `want`, and its steps throw `Interruption`. A parser
/// that reads a stream appends bytes from `end` on, moves with `move(to:)`, and finds structures with a `Lookup`.
struct ByteWindow: Sendable {
    /// The largest offset that a parser computes with; no file is as long.
    static let farthest: Int64 = 1 << 60

    private var bytes: [UInt8] = []
    /// The file offset of the first buffered byte.
    private(set) var start: Int64
    /// The range that the parser needs next.
    private var wanted: ByteRange
    /// The end of the bytes that are useful to append after that range.
    private var usefulEnd: Int64
    /// The first byte that the repeated step reads.
    private var keptStart: Int64
    /// An offset at or beyond which no byte exists; `nil` while none is known.
    private(set) var fileEnd: Int64?

    init(start: Int64 = 0) {
        self.start = start
        wanted = start..<start + 1
        usefulEnd = start + 1
        keptStart = start
    }

    /// The file offset after the last buffered byte.
    var end: Int64 { start + Int64(bytes.count) }

    /// The offset of the next byte to append: the end of the section, or the place of a jump.
    var readOffset: Int64 {
        (start...end).contains(wanted.lowerBound) ? end : wanted.lowerBound
    }

    var readLimit: Int { Int(max(1, usefulEnd - readOffset)) }

    /// True if no byte follows the buffered ones.
    var isClosed: Bool { fileEnd.map { $0 <= end } ?? false }

    /// Sets the range that `readOffset` leads to.
    /// - Parameters:
    ///   - end: the end of the bytes worth reading after the range.
    ///   - start: the first byte that the repeated step reads; buffered bytes from there on are kept.
    mutating func want(_ range: ByteRange, usefulUpTo end: Int64, keepingFrom start: Int64) {
        wanted = range
        usefulEnd = max(end, range.upperBound)
        keptStart = min(start, range.lowerBound)
    }

    /// Continues at `offset`: keeps the buffered bytes if it lies among them or directly after them.
    mutating func move(to offset: Int64) {
        guard !(start...end).contains(offset) else { return }
        discard(startingAt: offset)
        wanted = offset..<offset + 1
    }

    /// Appends bytes that begin at `end`, and may drop the bytes before `offset`.
    mutating func append(_ raw: UnsafeRawBufferPointer, keepingFrom offset: Int64) {
        want(end..<end + 1, usefulUpTo: end + 1, keepingFrom: offset)
        append(raw)
    }

    /// Appends bytes that begin at `readOffset`.
    mutating func append(_ raw: UnsafeRawBufferPointer) {
        let offset = readOffset
        if offset != end { discard(startingAt: offset) }
        // Moving the remaining bytes costs at most as much as appending them did.
        let dead = Int(max(0, min(keptStart, end) - start))
        if dead > bytes.count / 2 {
            bytes.removeFirst(dead)
            start += Int64(dead)
        }
        bytes.append(contentsOf: raw)
    }

    /// Marks `readOffset` as the end of the file, or as beyond it.
    mutating func finish() { fileEnd = min(fileEnd ?? .max, readOffset) }

    private mutating func discard(startingAt offset: Int64) {
        bytes.removeAll(keepingCapacity: bytes.capacity <= Self.keptCapacity)
        start = offset
    }

    private static let keptCapacity = 256 << 10

    func holds(_ range: ByteRange) -> Bool { range.lowerBound >= start && range.upperBound <= end }

    /// Throws unless all bytes of the range are buffered.
    func require(_ range: ByteRange) throws(Interruption) {
        // No read would bring the window to an empty range at the end of the file.
        guard !range.isEmpty, !holds(range) else { return }
        if let fileEnd, range.upperBound > fileEnd { throw .beyondEnd }
        throw .missing(range)
    }

    func bytes(_ count: Int, at offset: Int64) throws(Interruption) -> ArraySlice<UInt8> {
        guard offset >= 0, offset <= Self.farthest, count >= 0 else { throw .beyondEnd }
        guard count > 0 else { return [] }
        try require(offset..<offset + Int64(count))
        let index = Int(offset - start)
        return bytes[index..<index + count]
    }

    /// Returns the bytes of the range as far as the file has them, at least one.
    func available(_ range: ByteRange) throws(Interruption) -> ArraySlice<UInt8> {
        let upper = min(range.upperBound, fileEnd ?? .max)
        guard range.lowerBound < upper else { throw .beyondEnd }
        return try bytes(Int(upper - range.lowerBound), at: range.lowerBound)
    }

    /// Returns the byte at an offset; `nil` if it is not buffered.
    func byte(at offset: Int64) -> UInt8? {
        start..<end ~= offset ? bytes[Int(offset - start)] : nil
    }

    /// Returns the buffered bytes from `offset` on, at most `count`.
    func prefix(_ count: Int, at offset: Int64) -> ArraySlice<UInt8> {
        guard start..<end ~= offset else { return [] }
        return bytes[Int(offset - start)...].prefix(count)
    }

    /// Returns the first buffered offset in `range` whose byte satisfies `isWanted`.
    func firstOffset(in range: ByteRange, where isWanted: (UInt8) -> Bool) -> Int64? {
        let range = range.clamped(to: start..<end)
        let slice = bytes[Int(range.lowerBound - start)..<Int(range.upperBound - start)]
        return slice.firstIndex(where: isWanted).map { start + Int64($0) }
    }

    /// Calls `body` with the bytes of the range; with an empty buffer if they are not buffered.
    func withBytes<R>(of range: ByteRange, _ body: (UnsafeRawBufferPointer) throws -> R) rethrows -> R {
        guard holds(range), !range.isEmpty else { return try body(UnsafeRawBufferPointer(start: nil, count: 0)) }
        let first = Int(range.lowerBound - start)
        return try bytes.withUnsafeBytes { bytes in
            try body(UnsafeRawBufferPointer(rebasing: bytes[first..<first + range.count]))
        }
    }
}
