// SPDX-License-Identifier: GPL-3.0-or-later

/// The words of a text, separated by single spaces, without characters that affect a terminal: control characters,
/// directional marks and zero-width characters.
public struct PlainWords: Sendable {
    public private(set) var bytes: [UInt8] = []
    private var isBetween = false

    public init() {}

    public var isEmpty: Bool { bytes.isEmpty }

    /// Returns the words of a text on one line, without those after its first `limit` code points.
    ///
    /// - Returns: `nil` if no word is left.
    public static func line(_ text: String, limit: Int) -> String? {
        var text = String(text.unicodeScalars.prefix(limit))
        var words = PlainWords()
        text.withUTF8 { words.append($0) }
        return words.isEmpty ? nil : String(decoding: words.bytes, as: UTF8.self)
    }

    /// Separates the text that follows from the last word.
    public mutating func endWord() {
        isBetween = !bytes.isEmpty
    }

    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        isBetween = false
    }

    /// - Parameter text: UTF-8 without markup, with references decoded.
    public mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < text.count {
            let start = index
            index = Self.endOfRun(text, from: start)
            if index > start { append(run: UnsafeBufferPointer(rebasing: text[start..<index])) }
            guard index < text.count else { return }
            index += appendOther(text, at: index)
        }
    }

    /// - Returns: the index after a run of words that need no change and are separated by single spaces.
    private static func endOfRun(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var index = start
        while index < text.count {
            if isPlain(text[index]) {
                index &+= 1
            } else if text[index] == 0x20, index > start, index &+ 1 < text.count, isPlain(text[index &+ 1]) {
                index &+= 2
            } else {
                break
            }
        }
        return index
    }

    @inline(__always)
    private static func isPlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte != 0x7F && byte != 0xC2 && byte != 0xE2 && byte != 0xEF
    }

    private mutating func append(run: UnsafeBufferPointer<UInt8>) {
        if isBetween { bytes.append(0x20) }
        isBetween = false
        bytes.append(contentsOf: run)
    }

    /// - Returns: the number of bytes consumed.
    private mutating func appendOther(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> Int {
        let byte = text[index]
        if byte == 0x20 || (0x09...0x0D).contains(byte) {
            endWord()
            return 1
        }
        guard byte >= 0x80 else { return 1 }
        let length = min(byte == 0xC2 ? 2 : 3, text.count - index)
        switch Self.meaning(text[index...].prefix(length)) {
        case .character: append(run: UnsafeBufferPointer(rebasing: text[index..<(index + length)]))
        case .space: endWord()
        case .nothing: break
        }
        return length
    }

    private enum Meaning {
        case character, space, nothing
    }

    /// Returns the meaning of a character that begins with C2, E2 or EF.
    private static func meaning(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Meaning {
        switch bytes.reduce(UInt32(0), { $0 << 8 | UInt32($1) }) {
        case 0xC285, 0xC2A0, 0xE280A8, 0xE280A9, 0xE280AF: .space
        // C1 controls; zero-width spaces and directional marks; a byte order mark, a soft hyphen.
        case 0xC280...0xC29F, 0xC2AD, 0xE2808B, 0xE2808E...0xE2808F, 0xE280AA...0xE280AE, 0xE281A0...0xE281AF, 0xEFBBBF:
            .nothing
        case 0xE28080...0xE2808A: .space
        default: .character
        }
    }
}
