// SPDX-License-Identifier: GPL-3.0-or-later

extension MP3Builder {
    /// Adds an ID3v2.4 tag that contains `frames`.
    public mutating func addID3v2(_ frames: [UInt8] = [], padding: Int = 0, hasFooter: Bool = false) {
        let size = frames.count + padding
        let synchsafe = stride(from: 21, through: 0, by: -7).map { UInt8(size >> $0 & 0x7F) }
        let rest: [UInt8] = [4, 0, hasFooter ? 0x10 : 0] + synchsafe
        addBytes(Array("ID3".utf8) + rest + frames + [UInt8](repeating: 0, count: padding))
        if hasFooter { addBytes(Array("3DI".utf8) + rest) }
    }

    /// Returns an ID3v2.4 frame; the body must be shorter than 128 × 128 bytes.
    public static func id3Frame(_ name: String, _ body: [UInt8]) -> [UInt8] {
        Array(name.utf8) + [0, 0, UInt8(body.count >> 7 & 0x7F), UInt8(body.count & 0x7F), 0, 0] + body
    }

    /// Returns the comment frame in which iTunes stores the encoder delay and the padding.
    public static func iTunSMPB(delay: Int, padding: Int, frames: Int) -> [UInt8] {
        let numbers = [hex(0, 8), hex(delay, 8), hex(padding, 8), hex(frames, 16)]
        let text = " " + numbers.joined(separator: " ") + String(repeating: " 00000000", count: 8)
        return id3Frame("COMM", [0] + Array("engiTunSMPB".utf8) + [0] + Array(text.utf8))
    }

    /// Returns an ID3v2.4 tag with chapters that begin at these times, in milliseconds.
    /// - Parameters:
    ///   - end: the end of the last one; the others end where the next one begins.
    ///   - pictures: the pictures of the first chapters.
    public static func chapterTag(
        _ starts: [Int], titles: [String], end: Int, pictures: [[UInt8]] = []
    ) -> [UInt8] {
        let number = { (value: Int) in stride(from: 24, through: 0, by: -8).map { UInt8(value >> $0 & 0xFF) } }
        let frames = zip(starts, starts.dropFirst() + [end]).enumerated().flatMap { index, span in
            let offsets = [UInt8](repeating: 0xFF, count: 8)
            let title = id3Frame("TIT2", [3] + Array(titles[index].utf8))
            let picture = index < pictures.count ? id3Frame("APIC", [0, 0, 3, 0] + pictures[index]) : []
            let times = number(span.0) + number(span.1)
            return id3Frame("CHAP", Array("c\(index)".utf8) + [0] + times + offsets + title + picture)
        }
        var builder = MP3Builder()
        builder.addID3v2(frames)
        return builder.bytes
    }

    /// Adds an ID3v1 tag.
    public mutating func addID3v1() {
        addBytes(Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125))
    }

    /// Adds an APE tag; version 1 has no header.
    public mutating func addAPE(version: Int, itemBytes: Int) {
        func block(isHeader: Bool) -> [UInt8] {
            let flags: UInt32 = version == 1 ? 0 : isHeader ? 0xA000_0000 : 0x8000_0000
            let words = [UInt32(version * 1000), UInt32(itemBytes + 32), 1, flags, 0, 0]
            return Array("APETAGEX".utf8) + words.flatMap { word in (0..<4).map { UInt8(word >> (8 * $0) & 0xFF) } }
        }
        if version != 1 { addBytes(block(isHeader: true)) }
        addGarbage(itemBytes)
        addBytes(block(isHeader: false))
    }

    /// Adds a Lyrics3 tag of version 1 or 2 with `text` bytes of lyrics.
    public mutating func addLyrics3(version: Int, text: Int) {
        let start = bytes.count
        addBytes("LYRICSBEGIN".utf8)
        if version == 2 { addBytes(("LYR" + Self.decimal(text, 5)).utf8) }
        addGarbage(text)
        addBytes(version == 2 ? (Self.decimal(bytes.count - start, 6) + "LYRICS200").utf8 : "LYRICSEND".utf8)
    }

    /// Adds a Layer III Xing or Info frame with all four fields, and a LAME tag if `encoder` is not `nil`.
    public mutating func addXing(
        isInfo: Bool = false, frames: Int? = nil, bytes count: Int? = nil, encoder: String? = nil, delay: Int = 576,
        padding: Int = 1000, kilobits: Int? = nil
    ) {
        var frame = format.frame(kilobits: kilobits ?? format.kilobits, padded: false)
        let flags = (frames == nil ? 0 : 1) | (count == nil ? 0 : 2) | 4 | 8
        var tag = Array((isInfo ? "Info" : "Xing").utf8) + Self.bigEndian(flags, 4)
        if let frames { tag += Self.bigEndian(frames, 4) }
        if let count { tag += Self.bigEndian(count, 4) }
        tag += (0..<100).map { UInt8($0 * 256 / 100) } + Self.bigEndian(50, 4)
        if let encoder {
            tag += Array(encoder.utf8.prefix(9)) + [UInt8](repeating: 0, count: Swift.max(0, 9 - encoder.utf8.count))
            tag += [UInt8](repeating: 0, count: 12) + Self.bigEndian(delay << 12 | padding, 3)
        }
        let start = 4 + (format.hasCRC ? 2 : 0) + format.sideInfoLength
        frame.replaceSubrange(start..<start + tag.count, with: tag)
        addBytes(frame)
    }

    /// Adds a VBRI frame whose table has one two-byte entry for each element of `entries`.
    public mutating func addVBRI(frames: Int, bytes count: Int, entries: [Int], packetsPerEntry: Int) {
        var frame = format.frame(kilobits: format.kilobits, padded: false)
        let head = Self.bigEndian(1, 2) + Self.bigEndian(1105, 2) + Self.bigEndian(75, 2)
        let counts = Self.bigEndian(count, 4) + Self.bigEndian(frames, 4)
        let table = Self.bigEndian(entries.count, 2) + Self.bigEndian(1, 2) + Self.bigEndian(2, 2)
        let tag =
            Array("VBRI".utf8) + head + counts + table + Self.bigEndian(packetsPerEntry, 2)
            + entries.flatMap { Self.bigEndian($0, 2) }
        frame.replaceSubrange(36..<36 + tag.count, with: tag)
        addBytes(frame)
    }

    static func bigEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { UInt8(value >> (8 * $0) & 0xFF) }
    }

    private static func hex(_ value: Int, _ width: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: Swift.max(0, width - digits.count)) + digits
    }

    private static func decimal(_ value: Int, _ width: Int) -> String {
        String(repeating: "0", count: Swift.max(0, width - String(value).count)) + String(value)
    }
}
