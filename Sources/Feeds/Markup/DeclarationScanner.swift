// SPDX-License-Identifier: GPL-3.0-or-later

/// Finds the end of a `<!DOCTYPE >` and its internal subset, byte by byte.
struct DeclarationScanner: Equatable {
    enum Verdict {
        /// Before or after the subset.
        case outside
        case subset
        case ended
    }

    private enum State: Equatable {
        case outside
        case subset
        /// In a declaration of the subset, `count` bytes after its `<`.
        case declaration(count: Int)
        case quoted(UInt8)
        /// In a comment, where quotes have no meaning, after so many `-`.
        case comment(dashes: Int)
    }

    private var state: State = .outside

    mutating func consume(_ byte: UInt8) -> Verdict {
        switch state {
        case .outside:
            if byte == UInt8(ascii: ">") { return .ended }
            if byte == UInt8(ascii: "[") { state = .subset }
            return .outside
        case .subset:
            if byte == UInt8(ascii: "<") { state = .declaration(count: 0) }
        case .declaration(let count): consumeInDeclaration(byte, count)
        case .quoted(let quote):
            if byte == quote { state = .declaration(count: 3) }
        case .comment(let dashes):
            let isDash = byte == UInt8(ascii: "-")
            let isEnd = byte == UInt8(ascii: ">") && dashes == 2
            state = isEnd ? .subset : .comment(dashes: isDash ? min(dashes + 1, 2) : 0)
        }
        if byte == UInt8(ascii: "]"), endsSubset { state = .outside }
        return state == .outside ? .outside : .subset
    }

    /// True if a bracket here ends the subset, even if the declaration before it is unterminated.
    private var endsSubset: Bool {
        switch state {
        case .subset, .declaration: true
        case .outside, .quoted, .comment: false
        }
    }

    private mutating func consumeInDeclaration(_ byte: UInt8, _ count: Int) {
        switch byte {
        case UInt8(ascii: ">"): state = .subset
        case UInt8(ascii: "\""), UInt8(ascii: "'"): state = .quoted(byte)
        case UInt8(ascii: "-") where count == 2: state = .comment(dashes: 0)
        case UInt8(ascii: "!") where count == 0, UInt8(ascii: "-") where count == 1:
            state = .declaration(count: count + 1)
        default: state = .declaration(count: 3)
        }
    }
}
