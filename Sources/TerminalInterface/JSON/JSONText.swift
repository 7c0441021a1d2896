// SPDX-License-Identifier: GPL-3.0-or-later
import FoundationEssentials

/// A validated JSON document from outside, to embed in Earshot's output: on one line and safe on a terminal.
/// Source: RFC 8259.
public struct JSONText: Sendable, Equatable {
    public let text: String

    private static let deepest = 64

    /// Creates the text; `nil` if `source` is not JSON or is nested too deeply.
    public init?(_ source: String) {
        do {
            _ = try JSONDecoder().decode(AnyValue.self, from: Data(source.utf8))
        } catch {
            return nil
        }
        guard let line = Self.line(source) else { return nil }
        text = line
    }

    /// A value of any kind. Decoding visits each value, because the decoder checks numbers and strings only then.
    private struct AnyValue: Decodable {
        private struct Key: CodingKey {
            let stringValue: String
            var intValue: Int? { nil }

            init(stringValue: String) { self.stringValue = stringValue }
            init?(intValue: Int) { nil }
        }

        init(from decoder: any Decoder) throws {
            let value = try decoder.singleValueContainer()
            guard decoder.codingPath.count < JSONText.deepest else {
                throw DecodingError.dataCorruptedError(in: value, debugDescription: "nested too deeply")
            }
            if value.decodeNil() || (try? value.decode(String.self)) != nil { return }
            if let object = try? decoder.container(keyedBy: Key.self) {
                for key in object.allKeys { _ = try object.decode(AnyValue.self, forKey: key) }
            } else if var array = try? decoder.unkeyedContainer() {
                while !array.isAtEnd { _ = try array.decode(AnyValue.self) }
            } else if (try? value.decode(Bool.self)) == nil {
                _ = try value.decode(Double.self)
            }
        }
    }

    /// Removes the blanks between values, and escapes the characters that `JSONWriter.Escaping.terminal` escapes.
    /// - Returns: `nil` for a comma before a closing bracket, which the decoder accepts.
    private static func line(_ source: String) -> String? {
        var text = ""
        var (isInString, isEscaped) = (false, false)
        for scalar in source.unicodeScalars {
            switch scalar {
            case " ", "\n", "\r", "\t": if isInString { text += " " }
            case "]", "}":
                guard isInString || text.last != "," else { return nil }
                text.unicodeScalars.append(scalar)
            case "\u{7F}"..<"\u{A0}", "\u{2028}", "\u{2029}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
            if scalar == "\"", !isEscaped { isInString.toggle() }
            isEscaped = scalar == "\\" && !isEscaped
        }
        return text
    }
}
