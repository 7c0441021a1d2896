// SPDX-License-Identifier: GPL-3.0-or-later
import FoundationEssentials

/// Any JSON value, parsed strictly.
public enum JSONDocument: Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSONDocument])
    case object([String: JSONDocument])

    /// - Throws: an error if the text is not valid JSON.
    public init(parsing text: some StringProtocol) throws {
        self = try JSONDecoder().decode(JSONDocument.self, from: Data(text.utf8))
    }

    public subscript(key: String) -> JSONDocument? {
        if case .object(let members) = self { members[key] } else { nil }
    }

    public var keys: Set<String> {
        if case .object(let members) = self { Set(members.keys) } else { [] }
    }

    public var text: String? { if case .string(let text) = self { text } else { nil } }
    public var number: Double? { if case .number(let number) = self { number } else { nil } }
}

extension JSONDocument: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSONDocument].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSONDocument].self))
        }
    }
}
