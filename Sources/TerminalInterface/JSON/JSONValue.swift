// SPDX-License-Identifier: GPL-3.0-or-later

/// A JSON document that is written on one line. Source: RFC 8259.
public enum JSONValue: Sendable, Equatable, CustomStringConvertible {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number between 0 and 1, rounded to the thousandth.
    case share(Double)
    /// Seconds as a decimal number, to the microsecond.
    case seconds(Duration)
    case string(String)
    /// An existing document.
    case document(JSONText)
    case array([JSONValue])
    /// An object with its members in writing order.
    case object([Member])

    public struct Member: Sendable, Equatable {
        public let key: String
        public let value: JSONValue

        public init(_ key: String, _ value: JSONValue) {
            self.key = key
            self.value = value
        }
    }

    /// Returns `.null` for `nil`.
    public static func optional<Wrapped>(_ value: Wrapped?, _ make: (Wrapped) -> JSONValue) -> JSONValue {
        value.map(make) ?? .null
    }

    public var description: String {
        var text = ""
        write(to: &text)
        return text
    }

    private func write(to text: inout String) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += "\(value)"
        case .share(let value):
            text += Duration.milliseconds(Int64((min(max(0, value), 1) * 1000).rounded())).decimalSeconds
        case .seconds(let value): text += value.decimalSeconds
        case .string(let value): value.writeQuoted(to: &text)
        case .document(let document): text += document.text
        case .array(let values):
            text += "["
            for (index, value) in values.enumerated() {
                if index > 0 { text += "," }
                value.write(to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                member.key.writeQuoted(to: &text)
                text += ":"
                member.value.write(to: &text)
            }
            text += "}"
        }
    }
}

extension String {
    /// Writes the string as in RFC 8259 section 7. Also escapes C1 control characters, so that the line is safe on a
    /// terminal, and the two separators that some readers treat as line ends.
    fileprivate func writeQuoted(to text: inout String) {
        text += "\""
        for scalar in unicodeScalars {
            switch scalar.value {
            case 0x22: text += "\\\""
            case 0x5C: text += "\\\\"
            case 0x0A: text += "\\n"
            case 0x0D: text += "\\r"
            case 0x09: text += "\\t"
            case 0..<0x20, 0x7F..<0xA0, 0x2028, 0x2029:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

extension Duration {
    /// The seconds as `12.5`, `-0.25` or `3.0`: at least one decimal, at most six.
    var decimalSeconds: String {
        let (seconds, attoseconds) = components
        let micros = attoseconds / 1_000_000_000_000
        let sign = seconds < 0 || micros < 0 ? "-" : ""
        var decimals = String(micros.magnitude)
        decimals = String(repeating: "0", count: 6 - decimals.count) + decimals
        while decimals.count > 1, decimals.hasSuffix("0") { decimals.removeLast() }
        return "\(sign)\(seconds.magnitude).\(decimals)"
    }
}
