// SPDX-License-Identifier: GPL-3.0-or-later

/// The answer to a question put to bytes that still arrive.
enum Lookup<Value> {
    case found(Value)
    /// No, whatever may follow.
    case absent
    /// More bytes decide.
    case undecided
}

/// The stretch of the file that the parser holds: appended at the end, given up at the start.
struct ByteWindow: Sendable {
    private var bytes: [UInt8] = []
    /// The file offset of the first byte held.
    private(set) var start: Int64
    /// Whether no byte will follow.
    private(set) var isClosed = false

    init(start: Int64) { self.start = start }

    /// The file offset behind the last byte held.
    var end: Int64 { start + Int64(bytes.count) }

    /// Adds `raw` at `end`, giving up what lies before `offset`.
    mutating func append(_ raw: UnsafeRawBufferPointer, keepingFrom offset: Int64) {
        let dead = Int(max(0, min(offset, end) - start))
        // Moving the rest down costs at most as much as appending it did.
        if dead > bytes.count / 2 {
            bytes.removeFirst(dead)
            start += Int64(dead)
        }
        bytes.append(contentsOf: raw)
    }

    mutating func close() { isClosed = true }

    /// Goes on at `offset` where that lies beyond the bytes held.
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

    /// Four bytes, the first one in the highest place.
    func word(at offset: Int64) -> Lookup<UInt32> {
        guard holds(4, at: offset) else { return isClosed ? .absent : .undecided }
        let index = Int(offset - start)
        let high = UInt32(bytes[index]) << 24 | UInt32(bytes[index + 1]) << 16
        return .found(high | UInt32(bytes[index + 2]) << 8 | UInt32(bytes[index + 3]))
    }

    /// `count` bytes that begin with `name`; one differing byte is enough for a no.
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

    /// The first offset from `offset` on whose byte is wanted; `nil`: none is held.
    func firstByte(from offset: Int64, where isWanted: (UInt8) -> Bool) -> Int64? {
        guard offset >= start, offset < end else { return nil }
        return bytes[Int(offset - start)...].firstIndex(where: isWanted).map { start + Int64($0) }
    }

    /// - Precondition: the bytes are held.
    func withBytes<R>(
        _ count: Int, at offset: Int64, _ body: (UnsafeRawBufferPointer) throws -> R
    ) rethrows -> R {
        precondition(holds(count, at: offset), "the bytes of this packet are gone")
        let index = Int(offset - start)
        return try bytes.withUnsafeBytes { try body(UnsafeRawBufferPointer(rebasing: $0[index..<index + count])) }
    }
}
