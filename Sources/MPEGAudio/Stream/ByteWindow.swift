// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The section of the file that the parser buffers; bytes are appended at the end and dropped at the start.
struct ByteWindow: Sendable {
    private var bytes: [UInt8] = []
    /// The file offset of the first buffered byte.
    private(set) var start: Int64
    /// True if no more bytes follow.
    private(set) var isClosed = false

    init(start: Int64) { self.start = start }

    /// The file offset after the last buffered byte.
    var end: Int64 { start + Int64(bytes.count) }

    /// Appends `raw` at `end` and may drop the bytes before `offset`.
    mutating func append(_ raw: UnsafeRawBufferPointer, keepingFrom offset: Int64) {
        let dead = Int(max(0, min(offset, end) - start))
        // Moving the remaining bytes costs at most as much as appending them did.
        if dead > bytes.count / 2 {
            bytes.removeFirst(dead)
            start += Int64(dead)
        }
        bytes.append(contentsOf: raw)
    }

    mutating func close() { isClosed = true }

    /// Continues at `offset` if it lies beyond the buffered bytes.
    mutating func jump(to offset: Int64) {
        guard offset > end else { return }
        bytes.removeAll(keepingCapacity: true)
        start = offset
    }

    func holds(_ count: Int, at offset: Int64) -> Bool {
        offset >= start && offset <= end - Int64(count)
    }

    func byte(at offset: Int64) -> UInt8? {
        holds(1, at: offset) ? bytes[Int(offset - start)] : nil
    }

    /// Finds four bytes as a big-endian number.
    func word(at offset: Int64) -> Lookup<UInt32> {
        guard holds(4, at: offset) else { return isClosed ? .absent : .undecided }
        let index = Int(offset - start)
        let high = UInt32(bytes[index]) << 24 | UInt32(bytes[index + 1]) << 16
        return .found(high | UInt32(bytes[index + 2]) << 8 | UInt32(bytes[index + 3]))
    }

    /// Finds `count` bytes that begin with `name`. A single differing byte makes the result absent.
    func block(_ count: Int, named name: StaticString, at offset: Int64) -> Lookup<[UInt8]> {
        for place in 0..<name.utf8CodeUnitCount {
            guard holds(place + 1, at: offset) else { return isClosed ? .absent : .undecided }
            guard bytes[Int(offset - start) + place] == name.utf8Start[place] else { return .absent }
        }
        return block(count, at: offset)
    }

    func block(_ count: Int, at offset: Int64) -> Lookup<[UInt8]> {
        guard holds(count, at: offset) else { return isClosed ? .absent : .undecided }
        let index = Int(offset - start)
        return .found(Array(bytes[index..<index + count]))
    }

    /// Returns the first offset from `offset` on whose byte satisfies `isWanted`; `nil` if no buffered byte does.
    func firstByte(from offset: Int64, where isWanted: (UInt8) -> Bool) -> Int64? {
        guard offset >= start, offset < end else { return nil }
        return bytes[Int(offset - start)...].firstIndex(where: isWanted).map { start + Int64($0) }
    }

    /// - Precondition: the bytes are buffered.
    func withBytes<R>(
        _ count: Int, at offset: Int64, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        precondition(holds(count, at: offset), "the bytes of this packet were discarded")
        let index = Int(offset - start)
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[index..<index + count])) }
    }
}
