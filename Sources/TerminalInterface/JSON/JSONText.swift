// SPDX-License-Identifier: GPL-3.0-or-later

/// A validated JSON document from outside, to embed in Earshot's output: on one line and safe on a terminal.
/// Source: RFC 8259.
public struct JSONText: Sendable, Equatable {
    public let text: String

    private static let deepest = 64

    /// Creates the text; `nil` if `source` is not JSON or is nested too deeply.
    public init?(_ source: String) {
        var reader = Reader(source)
        guard reader.value(depth: 0), reader.isAtEnd else { return nil }
        text = reader.text
    }

    /// A validating copier.
    private struct Reader {
        private var rest: Substring.UnicodeScalarView
        private(set) var text = ""

        init(_ source: String) { rest = source[...].unicodeScalars }

        var isAtEnd: Bool {
            mutating get {
                skipBlanks()
                return rest.isEmpty
            }
        }

        private mutating func skipBlanks() {
            rest = rest.drop { $0 == " " || $0 == "\n" || $0 == "\t" || $0 == "\r" }
        }

        private mutating func consume(_ expected: Unicode.Scalar) -> Bool {
            skipBlanks()
            guard rest.first == expected else { return false }
            rest.removeFirst()
            text.unicodeScalars.append(expected)
            return true
        }

        mutating func value(depth: Int) -> Bool {
            skipBlanks()
            guard depth < JSONText.deepest, let first = rest.first else { return false }
            switch first {
            case "{": return list("{", "}") { $0.string() && $0.consume(":") && $0.value(depth: depth + 1) }
            case "[": return list("[", "]") { $0.value(depth: depth + 1) }
            case "\"": return string()
            default: return word()
            }
        }

        private mutating func list(
            _ open: Unicode.Scalar, _ close: Unicode.Scalar, _ element: (inout Reader) -> Bool
        ) -> Bool {
            guard consume(open) else { return false }
            if consume(close) { return true }
            repeat { guard element(&self) else { return false } } while consume(",")
            return consume(close)
        }

        private mutating func string() -> Bool {
            guard consume("\"") else { return false }
            while let scalar = rest.popFirst() {
                switch scalar {
                case "\"":
                    text += "\""
                    return true
                case "\\": guard escape() else { return false }
                case _ where scalar.value < 0x20: return false
                default: text += JSONText.harmless(scalar)
                }
            }
            return false
        }

        private mutating func escape() -> Bool {
            guard let letter = rest.popFirst() else { return false }
            text += "\\"
            text.unicodeScalars.append(letter)
            guard letter == "u" else { return "\"\\/bfnrt".unicodeScalars.contains(letter) }
            let digits = rest.prefix(4)
            guard digits.count == 4, digits.allSatisfy(\.properties.isASCIIHexDigit) else { return false }
            text.unicodeScalars.append(contentsOf: digits)
            rest = rest.dropFirst(4)
            return true
        }

        private mutating func word() -> Bool {
            let word = String(rest.prefix { !",]} \n\t\r".unicodeScalars.contains($0) })
            guard ["true", "false", "null"].contains(word) || JSONText.isNumber(word) else { return false }
            rest = rest.dropFirst(word.unicodeScalars.count)
            text += word
            return true
        }
    }

    private static func harmless(_ scalar: Unicode.Scalar) -> String {
        switch scalar.value {
        case 0x7F..<0xA0, 0x2028, 0x2029:
            let digits = String(scalar.value, radix: 16)
            return "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        default: return String(scalar)
        }
    }

    private static func isNumber(_ word: String) -> Bool {
        let unsigned = word.hasPrefix("-") ? word.dropFirst() : word[...]
        let parts = unsigned.lowercased().split(separator: "e", maxSplits: 1, omittingEmptySubsequences: false)
        let number = parts[0].split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard let whole = number.first, number.allSatisfy(isDigits), whole.count == 1 || whole.first != "0" else {
            return false
        }
        guard parts.count == 2 else { return true }
        let hasSign = parts[1].hasPrefix("+") || parts[1].hasPrefix("-")
        return isDigits(hasSign ? parts[1].dropFirst() : parts[1])
    }

    private static func isDigits(_ text: Substring) -> Bool {
        !text.isEmpty && text.unicodeScalars.allSatisfy { "0"..."9" ~= $0 }
    }
}
