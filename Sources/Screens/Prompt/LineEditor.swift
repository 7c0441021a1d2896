// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// A line of text that the listener types.
struct LineEditor: Sendable, Hashable {
    /// The most characters; an address is shorter.
    private static let most = 4000

    private(set) var characters: [Character]
    private(set) var cursor: Int

    init(_ text: String = "") {
        characters = Array(text)
        cursor = characters.count
    }

    var text: String { String(characters) }

    /// The text before the cursor.
    var head: String { String(characters[..<cursor]) }

    mutating func insert(_ text: String) {
        let clean = PrintableText(keepingSpacesOf: text)
        let new = Array(clean.prefix(max(0, Self.most - characters.count)))
        characters.insert(contentsOf: new, at: cursor)
        cursor += new.count
        // A combining mark joins the letter before it.
        if new.contains(where: { !$0.isASCII }) { rejoin() }
    }

    private mutating func rejoin() {
        let (before, whole) = (head, text)
        characters = Array(whole)
        cursor = min(before.count, characters.count)
    }

    mutating func replace(with text: String) { self = LineEditor(text) }

    /// Handles a key of the editor.
    /// - Returns: false if the key does not belong to it.
    mutating func handle(_ key: ScreenKey) -> Bool {
        switch key {
        case .character(let character): insert(String(character))
        case .left, .control("b"): cursor = max(0, cursor - 1)
        case .right, .control("f"): cursor = min(characters.count, cursor + 1)
        case .home, .control("a"): cursor = 0
        case .end, .control("e"): cursor = characters.count
        case .backspace: if cursor > 0 { remove(cursor - 1..<cursor) }
        case .delete, .control("d"): if cursor < characters.count { remove(cursor..<cursor + 1) }
        case .control("u"): remove(0..<cursor)
        case .control("k"): remove(cursor..<characters.count)
        case .control("w"): remove(wordStart..<cursor)
        default: return false
        }
        return true
    }

    private var wordStart: Int {
        var start = cursor
        while start > 0, characters[start - 1] == " " { start -= 1 }
        while start > 0, characters[start - 1] != " " { start -= 1 }
        return start
    }

    private mutating func remove(_ range: Range<Int>) {
        characters.removeSubrange(range)
        cursor = range.lowerBound
    }
}

extension PrintableText {
    /// Returns the text with each space kept, and without characters that control the terminal.
    fileprivate init(keepingSpacesOf text: String) { self.init(keepingSpaces: text, cutTo: .max) }
}

extension PrintableText {
    fileprivate func prefix(_ count: Int) -> Substring { text.prefix(count) }
}
