// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes FLAC files with frames of stored noise. Source: RFC 9639.
struct FLACWriter {
    var blockSize = 192
    var channels = 1
    /// True if frames state their first sample instead of their number.
    var isVariable = false
    /// The number of PCM frames; the last block is shorter if it is not a multiple of the block size.
    var frames = 192 * 40 + 50
    var statesTotal = true
    /// The number of the first frame.
    var firstNumber = 0
    /// Metadata blocks after STREAMINFO: type and content.
    var blocks: [(type: UInt8, content: [UInt8])] = []

    var streamInfo: [UInt8] {
        let total = statesTotal ? UInt64(frames) : 0
        let packed = UInt64(44100) << 44 | UInt64(channels - 1) << 41 | UInt64(15) << 36 | total
        let sizes = UInt16(isVariable ? 16 : blockSize).bigEndianBytes + UInt16(blockSize).bigEndianBytes
        return sizes + [0, 0, 0, 0, 0, 0] + packed.bigEndianBytes + [UInt8](repeating: 7, count: 16)
    }

    static func block(_ type: UInt8, _ content: [UInt8], isLast: Bool) -> [UInt8] {
        [type | (isLast ? 0x80 : 0)] + UInt32(content.count).bigEndianBytes.dropFirst() + content
    }

    var head: [UInt8] { head(streamInfo) }

    /// Returns the bytes before the first frame, with this STREAMINFO.
    func head(_ streamInfo: [UInt8]) -> [UInt8] {
        var bytes = Array("fLaC".utf8) + Self.block(0, streamInfo, isLast: blocks.isEmpty)
        for (number, block) in blocks.enumerated() {
            bytes += Self.block(block.type, block.content, isLast: number == blocks.count - 1)
        }
        return bytes
    }

    /// The sizes of the blocks: of two kinds in a stream of variable block size.
    var sizes: [Int] {
        var sizes: [Int] = []
        var left = frames
        while left > 0 {
            let size = isVariable && sizes.count % 3 == 1 ? blockSize / 2 : blockSize
            sizes.append(min(size, left))
            left -= sizes.last ?? 0
        }
        return sizes
    }

    var packets: [[UInt8]] {
        var sample = firstNumber * blockSize
        return sizes.enumerated().map { number, size in
            defer { sample += size }
            return frame(number: isVariable ? sample : firstNumber + number, size: size, seed: number)
        }
    }

    var bytes: [UInt8] { head + packets.joined() }

    func frame(number: Int, size: Int, seed: Int) -> [UInt8] {
        var frame: [UInt8] = [0xFF, isVariable ? 0xF9 : 0xF8, 0x79, UInt8(channels - 1) << 4 | 8]
        frame += Self.coded(number) + UInt16(size - 1).bigEndianBytes
        frame.append(Self.remainder(frame, 0x07, 8).bytes[1])
        for channel in 0..<channels { frame += [2] + [UInt8].noise(2 * size, seed * 8 + channel) }
        return frame + Self.remainder(frame, 0x8005, 16).bytes
    }

    /// Returns a number in the code of UTF-8.
    static func coded(_ number: Int) -> [UInt8] {
        guard number >= 0x80 else { return [UInt8(number)] }
        var (rest, tail) = (number, [UInt8]())
        while rest >= 1 << (6 - tail.count) {
            tail.insert(UInt8(0x80 | rest & 0x3F), at: 0)
            rest >>= 6
        }
        return [UInt8(truncatingIfNeeded: 0xFF << (7 - tail.count)) | UInt8(rest)] + tail
    }

    struct Remainder {
        let value: UInt16
        /// The high and the low byte.
        var bytes: [UInt8] { value.bigEndianBytes }
    }

    static func remainder(_ bytes: [UInt8], _ polynomial: UInt16, _ width: Int) -> Remainder {
        let top = UInt16(1) << UInt16(width - 1)
        let mask: UInt16 = width == 8 ? 0xFF : 0xFFFF
        return Remainder(
            value: bytes.reduce(0) { start, byte in
                var rest = start ^ UInt16(byte) << UInt16(width - 8)
                for _ in 0..<8 { rest = (rest & top == 0 ? rest << 1 : rest << 1 ^ polynomial) & mask }
                return rest
            })
    }
}
