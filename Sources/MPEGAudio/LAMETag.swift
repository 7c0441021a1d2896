// SPDX-License-Identifier: GPL-3.0-or-later

/// The extension after a Xing header that contains the encoder's name and its delay and padding.
///
/// Source: LAME tag revision 1: the encoder in bytes 0-8, delay and padding of 12 bits each in bytes 21-23.
struct LAMETag {
    let encoder: String
    let delay: Int
    let padding: Int

    init?(_ fields: inout TagFields) {
        guard let name = fields.read(9), fields.read(12) != nil, let counts = fields.number(3) else { return nil }
        let letters = name.prefix { (0x20..<0x7F).contains($0) }
        guard !letters.isEmpty else { return nil }
        encoder = String(decoding: letters, as: UTF8.self)
        delay = counts >> 12
        padding = counts & 0xFFF
    }
}
