// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A JSON document that is written on one line. Source: RFC 8259.
public enum JSONValue: Sendable, Equatable, CustomStringConvertible {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number between 0 and 1000, rounded to the thousandth.
    case decimal(Double)
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
        var json = JSONWriter(.terminal)
        write(to: &json)
        return json.text
    }

    private func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .integer(let value): json.integer(value)
        case .decimal(let value):
            let thousandths = Int64((min(max(0, value), 1000) * 1000).rounded())
            json.seconds(.milliseconds(thousandths), decimals: 1...3)
        case .seconds(let value): json.seconds(value, decimals: 1...6)
        case .string(let value): json.string(value)
        case .document(let document): json.document(document.text)
        case .array(let values):
            json.array { json in
                for value in values { value.write(to: &json) }
            }
        case .object(let members):
            json.object { json in
                for member in members {
                    json.key(member.key)
                    member.value.write(to: &json)
                }
            }
        }
    }
}
