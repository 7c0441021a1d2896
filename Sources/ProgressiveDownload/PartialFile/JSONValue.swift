// SPDX-License-Identifier: GPL-3.0-or-later

/// The subset of JSON used by manifests: integers, no fractions, a few levels of nesting. Source: RFC 8259.
enum JSONValue: Equatable {
    case null
    case integer(Int64)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    subscript(key: String) -> JSONValue? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    var integer: Int64? { if case .integer(let value) = self { value } else { nil } }
    var string: String? { if case .string(let value) = self { value } else { nil } }
    var array: [JSONValue]? { if case .array(let value) = self { value } else { nil } }

    /// Returns `nil` unless all of `text` is one value of this subset.
    init?(parsing text: some Collection<UInt8>) {
        var reader = JSONReader(text)
        guard let value = reader.value(depth: 0), reader.isAtEnd() else { return nil }
        self = value
    }

    /// The value as compact text, with the members of objects sorted by name.
    var text: String {
        switch self {
        case .null: "null"
        case .integer(let value): String(value)
        case .string(let value): Self.quoted(value)
        case .array(let values): "[" + values.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.sorted { $0.key < $1.key }.map { "\(Self.quoted($0.key)):\($0.value.text)" }
                .joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { $0 >= 0x20 && $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        return "\"" + (isPlain ? text : text.unicodeScalars.map(escaped).joined()) + "\""
    }

    private static func escaped(_ scalar: Unicode.Scalar) -> String {
        switch scalar {
        case "\"": "\\\""
        case "\\": "\\\\"
        case "\u{0}"..."\u{1F}": "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
        default: String(scalar)
        }
    }
}
