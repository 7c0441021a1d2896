// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The identity that a client gives to a request. Source: JSON-RPC 2.0, section 4.
public enum RequestID: Hashable, Sendable {
    case integer(Int64)
    case string(String)

    /// The most bytes of a text: replies and events repeat it.
    static let longest = 128

    /// Creates the identity; `nil` for a value that is neither an integer nor a short text.
    init?(_ value: JSONValue) {
        switch value {
        case .integer(let number): self = .integer(number)
        case .string(let text) where text.utf8.count <= Self.longest: self = .string(text)
        default: return nil
        }
    }

    public var json: JSONValue {
        switch self {
        case .integer(let number): .integer(number)
        case .string(let text): .string(text)
        }
    }
}
