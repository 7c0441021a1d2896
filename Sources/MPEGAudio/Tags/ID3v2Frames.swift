// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A sequence of the frames of an ID3v2 tag; it ends at the first invalid frame.
struct ID3v2Frames: Sequence, IteratorProtocol {
    struct Frame {
        let name: String
        /// The content, without unsynchronization of the frame.
        let bytes: ArraySlice<UInt8>
        /// The content as the sequence has it, if the frame is unsynchronized; the indices of `bytes` then count from
        /// its first byte.
        let stuffed: ArraySlice<UInt8>?
    }

    let version: UInt8
    var rest: ArraySlice<UInt8>

    private var headerLength: Int { version == 2 ? 6 : 10 }

    mutating func next() -> Frame? {
        while let header = header(at: 0) {
            let start = rest.startIndex + headerLength
            let body = rest[start..<start + header.size]
            rest = rest[body.endIndex...]
            guard let bytes = content(body, flags: header.flags) else { continue }
            let isStuffed = version == 4 && header.flags & 0x02 != 0
            return Frame(
                name: header.name, bytes: isStuffed ? StoredPicture.resynchronized(bytes)[...] : bytes,
                stuffed: isStuffed ? bytes : nil)
        }
        return nil
    }

    /// Returns the frame header at this distance; `nil` for padding, for any other bytes, and if the frame is longer
    /// than the rest.
    private func header(at distance: Int) -> (name: String, size: Int, flags: Int)? {
        var fields = TagFields(rest.dropFirst(distance))
        guard let name = fields.read(version == 2 ? 3 : 4), name.allSatisfy(Self.isOfName),
            let size = version == 2 ? fields.number(3) : fields.read(4).flatMap({ self.size($0, at: distance) }),
            let flags = version == 2 ? 0 : fields.number(2),
            size <= rest.count - distance - headerLength
        else { return nil }
        return (String(decoding: name, as: UTF8.self), size, flags)
    }

    /// Some writers of 2.4 store plain numbers, as in 2.3. If the bytes can be read both ways, this function chooses
    /// the size after which a frame or the padding follows.
    private func size(_ bytes: ArraySlice<UInt8>, at distance: Int) -> Int? {
        let plain = bytes.reduce(0) { $0 << 8 | Int($1) }
        guard version == 4, plain > 0x7F else { return plain }
        guard let safe = ID3v2Tag.synchsafe(bytes) else { return plain }
        return !endsWell(distance + headerLength + safe) && endsWell(distance + headerLength + plain) ? plain : safe
    }

    private func endsWell(_ distance: Int) -> Bool {
        guard distance < rest.count else { return distance == rest.count }
        let name = rest.dropFirst(distance).prefix(4)
        return name.first == 0 || name.count == 4 && name.allSatisfy(Self.isOfName)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
    }

    /// Returns the content of a frame as the sequence has it; `nil` if it is compressed or encrypted.
    private func content(_ body: ArraySlice<UInt8>, flags: Int) -> ArraySlice<UInt8>? {
        switch version {
        case 3:
            guard flags & 0xC0 == 0 else { return nil }
            return body.dropFirst(flags & 0x20 != 0 ? 1 : 0)
        case 4:
            guard flags & 0x0C == 0 else { return nil }
            return body.dropFirst((flags & 0x40 != 0 ? 1 : 0) + (flags & 0x01 != 0 ? 4 : 0))
        default: return body
        }
    }
}
