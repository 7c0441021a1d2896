// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The text in chunks of wave files and AIFF files. Source: Multimedia Programming Interface and Data Specifications
/// 1.0, chapter 2, "INFO List Chunk"; AIFF 1.3, "Text Chunks".
enum WaveInfo {
    /// The length in bytes of the longest accepted chunk.
    static let longest = 64 << 10
    private static let longestText = 4 << 10

    /// Reads a chunk `LIST`: the word INFO, then chunks with the text.
    static func metadata(ofList list: ArraySlice<UInt8>) -> AudioMetadata {
        var metadata = AudioMetadata()
        var fields = ByteFields(list)
        guard fields.skip("INFO") else { return metadata }
        while let name = fields.bytes(4), let length = fields.number(4, .littleEndian) {
            let value = text(fields.rest.prefix(min(length, longestText)))
            switch String(decoding: name, as: UTF8.self) {
            case "INAM": metadata.title = metadata.title ?? value
            case "IART": metadata.artist = metadata.artist ?? value
            case "IPRD": metadata.album = metadata.album ?? value
            default: break
            }
            guard fields.bytes(length) != nil else { break }
            if !length.isMultiple(of: 2) { _ = fields.bytes(1) }
        }
        return metadata
    }

    /// Returns the text before the first zero, without white space around it; `nil` if it is empty. Text that is not
    /// UTF-8 is in Latin-1.
    static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        let blank: (UInt8) -> Bool = { $0 <= 0x20 }
        let text = bytes.prefix { $0 != 0 }.drop(while: blank).reversed().drop(while: blank).reversed()
        guard !text.isEmpty else { return nil }
        return String(validating: text, as: UTF8.self)
            ?? String(String.UnicodeScalarView(text.map { Unicode.Scalar($0) }))
    }
}
