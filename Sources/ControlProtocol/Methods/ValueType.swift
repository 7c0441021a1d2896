// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The type of a value in the protocol.
indirect enum ValueType: Sendable, Equatable {
    case text
    case bool
    case integer(ClosedRange<Int64>)
    /// A number of seconds, or another number with decimals.
    case number(ClosedRange<Double>)
    case choice([String])
    case list(ValueType)
    case object([Field])
    /// An object whose keys docs/json-library.md or docs/json-events.md describes.
    case documented

    static let count = ValueType.integer(0...Int64.max)
    static let seconds = ValueType.number(0...1e9)

    /// Returns the reason why a value does not have the type; `nil` if it has.
    func problem(_ value: JSONValue) -> String? {
        switch self {
        case .text: Self.problem(ofText: value.string)
        case .bool: value.bool == nil ? "must be true or false" : nil
        case .integer(let range): value.integer.map(range.contains) ?? false ? nil : "must be \(name)"
        case .number(let range): value.double.map(range.contains) ?? false ? nil : "must be \(name)"
        case .choice(let words): words.contains(value.string ?? "") ? nil : "must be \(name)"
        case .list(let element): value.elements.map { $0.compactMap(element.problem).first } ?? "must be an array"
        case .object(let fields): fields.problem(value)
        case .documented: value.members == nil ? "must be an object" : nil
        }
    }

    /// No path, name or number contains NUL.
    private static func problem(ofText text: String?) -> String? {
        guard let text else { return "must be a text" }
        return text.utf8.contains(0) ? "must not contain NUL" : nil
    }

    /// The type in words.
    var name: String {
        switch self {
        case .text: "text"
        case .bool: "true or false"
        case .integer(let range) where range.upperBound == .max: "an integer from \(range.lowerBound)"
        case .integer(let range): "an integer from \(range.lowerBound) to \(range.upperBound)"
        case .number(let range) where range.upperBound >= 1e9: "a number from \(Self.decimal(range.lowerBound))"
        case .number(let range): "a number from \(Self.decimal(range.lowerBound)) to \(Self.decimal(range.upperBound))"
        case .choice(let words): words.map { "\"\($0)\"" }.joined(separator: ", ")
        case .list(let element): "array of \(element.name)"
        case .object(let fields): "object with " + fields.map { "`\($0.name)`" }.joined(separator: ", ")
        case .documented: "object"
        }
    }

    private static func decimal(_ value: Double) -> String {
        value.rounded() == value ? String(Int64(value)) : String(value)
    }
}

/// A named value: a parameter of a method, or a key of a result or an event.
struct Field: Sendable, Equatable {
    let name: String
    let type: ValueType
    /// False for a parameter that may be missing, or a key that may be `null`.
    let isRequired: Bool
    let help: String

    static func required(_ name: String, _ type: ValueType, _ help: String) -> Field {
        Field(name: name, type: type, isRequired: true, help: help)
    }

    static func optional(_ name: String, _ type: ValueType, _ help: String) -> Field {
        Field(name: name, type: type, isRequired: false, help: help)
    }
}

extension [Field] {
    /// Returns the reason why an object does not have exactly these fields; `nil` if it has. An optional field may be
    /// missing or `null`.
    func problem(_ object: JSONValue) -> String? {
        guard let members = object.members else { return "must be an object" }
        if let unknown = members.first(where: { member in !contains { $0.name == member.key } }) {
            return "unknown parameter \"\(unknown.key.prefix(80))\""
        }
        for field in self {
            let value = object[field.name] ?? .null
            if value == .null, !field.isRequired { continue }
            if let problem = field.type.problem(value) { return "\"\(field.name)\" \(problem)" }
        }
        return nil
    }
}
