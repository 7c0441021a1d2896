// SPDX-License-Identifier: GPL-3.0-or-later

/// A JSON document. Source: RFC 8259.
public enum JSONValue: Sendable, Equatable, CustomStringConvertible {
    case null
    case bool(Bool)
    case integer(Int64)
    /// A number of a parsed document that is not an `Int64`, as written there.
    case number(String)
    /// A number between −1000 and 1000, rounded to the thousandth.
    case decimal(Double)
    /// Seconds as a decimal number, to the microsecond.
    case seconds(Duration)
    case string(String)
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

    /// The document on one line, safe on a terminal.
    public var description: String {
        var json = JSONWriter(.terminal)
        write(to: &json)
        return json.text
    }

    public func write(to json: inout JSONWriter) {
        switch self {
        case .null: json.null()
        case .bool(let value): json.bool(value)
        case .integer(let value): json.integer(value)
        case .number(let text): json.document(text)
        case .decimal(let value):
            let thousandths = Int64((min(max(-1000, value), 1000) * 1000).rounded())
            json.seconds(.milliseconds(thousandths), decimals: 1...3)
        case .seconds(let value): json.seconds(value, decimals: 1...6)
        case .string(let value): json.string(value)
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

// MARK: Reading
extension JSONValue {
    /// The members of an object; `nil` for another value.
    public var members: [Member]? { if case .object(let members) = self { members } else { nil } }

    /// The elements of an array; `nil` for another value.
    public var elements: [JSONValue]? { if case .array(let elements) = self { elements } else { nil } }

    public var string: String? { if case .string(let text) = self { text } else { nil } }

    public var bool: Bool? { if case .bool(let value) = self { value } else { nil } }

    public var integer: Int64? { if case .integer(let value) = self { value } else { nil } }

    /// A number as a finite value; `nil` for another value and beyond the range of `Double`.
    public var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .number(let text): Double(text).flatMap { $0.isFinite ? $0 : nil }
        case .decimal(let value): value
        case .seconds(let value): value / .seconds(1)
        default: nil
        }
    }

    /// A number of seconds as a duration; `nil` for another value, and outside 0 ... 10⁹.
    public var duration: Duration? {
        guard let seconds = double, (0...1e9).contains(seconds) else { return nil }
        return .microseconds(Int64(seconds * 1_000_000))
    }

    /// The value of a member; the last one if the key occurs twice; `nil` if there is none.
    public subscript(key: String) -> JSONValue? { members?.last { $0.key == key }?.value }
}
