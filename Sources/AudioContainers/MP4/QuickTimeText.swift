// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A text sample: a length of two bytes, the text, then boxes. Source: QuickTime File Format, "Text sample data"; 3GPP
/// TS 26.245 section 5.17.1.3 for links.
struct QuickTimeText {
    /// Empty in a sample that only fills the time before the first chapter.
    let text: String
    let link: String?

    init(_ sample: ArraySlice<UInt8>) {
        var fields = ByteFields(sample)
        let length = fields.number(2) ?? 0
        text = Self.decoded(fields.bytes(min(length, fields.rest.count)) ?? [])
        link = BoxSequence(fields.rest).first("href").flatMap(Self.link)
    }

    /// Returns the text in UTF-8, or in UTF-16 after a byte order mark.
    private static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
        let isBigEndian = bytes.starts(with: [0xFE, 0xFF])
        guard isBigEndian || bytes.starts(with: [0xFF, 0xFE]) else { return String(decoding: bytes, as: UTF8.self) }
        return ByteFields(bytes.dropFirst(2)).utf16(isBigEndian ? .bigEndian : .littleEndian)
    }

    /// Returns the URL after the range of the linked characters.
    private static func link(_ content: ArraySlice<UInt8>) -> String? {
        var fields = ByteFields(content)
        guard fields.skip(4), let length = fields.number(1), let url = fields.bytes(length), !url.isEmpty else {
            return nil
        }
        return String(decoding: url, as: UTF8.self)
    }
}
