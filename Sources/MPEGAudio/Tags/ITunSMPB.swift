// SPDX-License-Identifier: GPL-3.0-or-later

/// The comment "iTunSMPB" of iTunes. In ID3v2 it has plain PCM counts, including the decoder's delay.
public struct ITunSMPB: Sendable, Equatable {
    /// PCM frames to drop at the start.
    public let delay: Int64
    /// PCM frames to drop at the end.
    public let padding: Int64
    /// PCM frames of music between the two.
    public let frames: Int64

    public init(delay: Int64, padding: Int64, frames: Int64) {
        self.delay = delay
        self.padding = padding
        self.frames = frames
    }

    /// Parses the body of an ID3v2 comment frame: encoding, language, name, text. The parser reads only ASCII, so it
    /// does not depend on the encoding.
    init?(comment: [UInt8]) {
        let letters = comment.dropFirst(4).filter { (0x20..<0x7F).contains($0) }
        let name = Array("iTunSMPB".utf8)
        guard letters.starts(with: name) else { return nil }
        self.init(text: letters.dropFirst(name.count))
    }

    /// Parses the text: hexadecimal numbers, of which the second to the fourth are the delay, the padding and the
    /// frames of music.
    package init?(text: some Collection<UInt8>) {
        let fields = text.split(separator: 0x20)
        guard fields.count >= 4, let delay = Self.number(fields[1]), let padding = Self.number(fields[2]),
            let frames = Self.number(fields[3])
        else { return nil }
        self.init(delay: delay, padding: padding, frames: frames)
    }

    private static func number(_ field: some Collection<UInt8>) -> Int64? {
        Int64(String(decoding: field, as: UTF8.self), radix: 16).flatMap { $0 < 0 ? nil : $0 }
    }
}
