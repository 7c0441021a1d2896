// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension PlainWords {
    /// Appends HTML without tags, and decodes its references.
    mutating func append(html text: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < text.count {
            let end = ByteScan.firstIndex(of: UInt8(ascii: "&"), in: text, from: index)
            append(UnsafeBufferPointer(rebasing: text[index..<end]))
            guard end < text.count else { return }
            var character: [UInt8] = [UInt8(ascii: "&")]
            index = end + 1
            if let (scalar, next) = CharacterReference.reference(in: text, at: end) {
                character = []
                XMLCharacterFilter.append(scalar, to: &character)
                index = next
            }
            character.withUnsafeBufferPointer { append($0) }
        }
    }
}
