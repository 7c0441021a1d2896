// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport

/// Writes ADTS streams with tags and garbage. Source: ISO/IEC 13818-7 section 6.2.
struct ADTSBuilder {
    /// The fields that all frames of a stream share.
    struct Format: Sendable {
        var isMPEG2 = false
        /// 1: AAC LC.
        var profile = 1
        /// 4: 44100 Hz.
        var rate = 4
        var channels = 2
        var hasCRC = false
        var blocks = 1
    }

    var format = Format()
    private(set) var bytes: [UInt8] = []
    /// The offset of each frame and its payload.
    private(set) var frames: [(offset: Int, payload: [UInt8])] = []
    private var generator: SeededGenerator

    init(seed: UInt64 = 7) { generator = SeededGenerator(seed: seed) }

    mutating func addFrames(_ count: Int, sizes: ClosedRange<Int> = 20...90) {
        for _ in 0..<count {
            let size = Int.random(in: sizes, using: &generator)
            // No byte 0xFF, so that no header appears by chance.
            addFrame((0..<size).map { _ in UInt8.random(in: 0..<0xFF, using: &generator) })
        }
    }

    mutating func addFrame(_ payload: [UInt8]) {
        frames.append((bytes.count, payload))
        bytes += header(payload.count) + payload
    }

    private func header(_ size: Int) -> [UInt8] {
        let check = format.hasCRC ? [UInt8](repeating: 0x5A, count: 2) : []
        let length = size + 7 + check.count
        return [
            0xFF, 0xF0 | (format.isMPEG2 ? 8 : 0) | (format.hasCRC ? 0 : 1),
            UInt8(format.profile << 6 | format.rate << 2 | format.channels >> 2),
            UInt8(format.channels << 6 & 0xC0 | length >> 11), UInt8(length >> 3 & 0xFF),
            UInt8(length << 5 & 0xE0 | 0x1F), UInt8(0xFC | (format.blocks - 1)),
        ] + check
    }

    /// Adds a frame of several raw data blocks with the table of their places and a check word after each.
    mutating func addProtectedFrame(_ blocks: [[UInt8]]) {
        let header = 7 + 2 * blocks.count
        var places: [UInt8] = []
        var place = 0
        for block in blocks.dropLast() {
            place += block.count + 2
            places += BoxWriter.u16(place)
        }
        let check: [UInt8] = [0x5A, 0x5A]
        let payload: [UInt8] = blocks.flatMap { (block: [UInt8]) -> [UInt8] in block + check }
        frames.append((bytes.count, payload))
        var first = self.header(payload.count + header - 9)
        first[6] = UInt8(0xFC | (blocks.count - 1))
        bytes += first.prefix(7)
        bytes += places + check + payload
    }

    mutating func addGarbage(_ count: Int) {
        bytes += (0..<count).map { _ in UInt8.random(in: 0..<0xFF, using: &generator) }
    }

    mutating func addID3v2(_ size: Int) {
        bytes += Array("ID3".utf8) + [4, 0, 0] + (0..<4).map { UInt8(size >> (7 * (3 - $0)) & 0x7F) }
        // A false header inside the tag.
        bytes +=
            [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x9F, 0xFC].prefix(size) + [UInt8](repeating: 0, count: max(0, size - 7))
    }

    mutating func addID3v1() { bytes += Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125) }

    mutating func truncate(by count: Int) { bytes.removeLast(count) }
}
