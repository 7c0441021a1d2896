// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes the boxes of MP4 files. Source: ISO/IEC 14496-12 section 4.2.
enum BoxWriter {
    static func u16(_ value: Int) -> [UInt8] { number(value, 2) }
    static func u24(_ value: Int) -> [UInt8] { number(value, 3) }
    static func u32(_ value: Int) -> [UInt8] { number(value, 4) }
    static func u64(_ value: Int) -> [UInt8] { number(value, 8) }

    static func number(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
    }

    /// Characters in Latin-1: "©nam" has four bytes.
    static func type(_ type: String) -> [UInt8] { type.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } }

    static func box(_ name: String, _ content: [UInt8], isLong: Bool = false) -> [UInt8] {
        isLong
            ? u32(1) + type(name) + u64(content.count + 16) + content : u32(content.count + 8) + type(name) + content
    }

    static func full(_ name: String, version: Int = 0, flags: Int = 0, _ content: [UInt8]) -> [UInt8] {
        box(name, [UInt8(version)] + u24(flags) + content)
    }

    /// A descriptor with its length in four bytes, as most writers do. Source: ISO/IEC 14496-1 section 8.3.3.
    static func descriptor(_ tag: UInt8, _ content: [UInt8]) -> [UInt8] {
        var bytes = [tag]
        for place in 0..<4 {
            let bits = UInt8(content.count >> (7 * (3 - place)) & 0x7F)
            bytes.append(place < 3 ? bits | 0x80 : bits)
        }
        return bytes + content
    }

    static func esds(objectType: Int = 0x40, _ config: [UInt8]) -> [UInt8] {
        let decoder = [UInt8(objectType), 0x15] + u24(0) + u32(128000) + u32(128000) + descriptor(5, config)
        return full("esds", descriptor(3, u16(1) + [0] + descriptor(4, decoder) + descriptor(6, [2])))
    }

    /// A sample description of a sound track. Source: ISO/IEC 14496-12 section 12.2.3; QuickTime File Format, "Sound
    /// sample descriptions".
    static func soundEntry(_ name: String, version: Int = 0, _ boxes: [UInt8]) -> [UInt8] {
        var fields = [UInt8](repeating: 0, count: 6) + u16(1) + u16(version) + [UInt8](repeating: 0, count: 6)
        fields += u16(2) + u16(16) + u32(0) + u32(44100 << 16)
        fields += [UInt8](repeating: 0, count: version == 1 ? 16 : version == 2 ? 36 : 0)
        return box(name, fields + boxes)
    }

    static func stsd(_ entry: [UInt8], version: Int = 0) -> [UInt8] { stsd([entry], version: version) }

    static func stsd(_ entries: [[UInt8]], version: Int = 0) -> [UInt8] {
        full("stsd", version: version, u32(entries.count) + entries.flatMap { $0 })
    }

    /// A tag of iTunes.
    static func item(_ name: String, kind: Int = 1, _ value: [UInt8]) -> [UInt8] {
        box(name, box("data", u32(kind) + u32(0) + value))
    }

    /// A comment of iTunes with a name.
    static func comment(_ name: String, _ value: String) -> [UInt8] {
        box(
            "----",
            full("mean", Array("com.apple.iTunes".utf8)) + full("name", Array(name.utf8))
                + box("data", u32(1) + u32(0) + Array(value.utf8)))
    }

    /// The content of a metadata box of QuickTime, whose items have names.
    static func namedItems(_ items: [(name: String, kind: Int, value: [UInt8])]) -> [UInt8] {
        let handler = full("hdlr", u32(0) + type("mdta") + [UInt8](repeating: 0, count: 13))
        let keys = items.flatMap { box("mdta", Array($0.name.utf8)) }
        var list: [UInt8] = []
        for (index, item) in items.enumerated() {
            let data = box("data", u32(item.kind) + u32(0) + item.value)
            list += u32(data.count + 8) + u32(index + 1) + data
        }
        return handler + full("keys", u32(items.count) + keys) + box("ilst", list)
    }

    static func udta(_ items: [UInt8], after boxes: [UInt8] = []) -> [UInt8] {
        let handler = full("hdlr", u32(0) + type("mdir") + type("appl") + [UInt8](repeating: 0, count: 9))
        return box("udta", boxes + full("meta", handler + box("ilst", items)))
    }
}
