// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The error of a reply. Source: JSON-RPC 2.0, section 5.1.
public struct ControlError: Error, Sendable, Equatable {
    public let code: Int64
    public let message: String
    /// The kind of failure and the exit status of the command line (docs/json-events.md); `nil` if the client made the
    /// mistake, or if the failure has no kind.
    public let kind: String?
    public let status: Int64?

    /// Creates the error of an accepted request that failed.
    public init(_ message: String, kind: String, status: Int64) {
        (code, self.message, self.kind, self.status) = (-32000, message, kind, status)
    }

    private init(code: Int64, _ message: String) {
        (self.code, self.message, kind, status) = (code, message, nil, nil)
    }

    static func parse(_ problem: String) -> ControlError { ControlError(code: -32700, problem) }
    static func invalidRequest(_ problem: String) -> ControlError { ControlError(code: -32600, problem) }
    static func unknownMethod(_ name: String) -> ControlError {
        ControlError(code: -32601, "unknown method \"\(name.prefix(80))\"")
    }
    /// Returns the error of parameters that have the right type but an unusable value, such as an unknown time.
    public static func invalidParameters(_ problem: String) -> ControlError { ControlError(code: -32602, problem) }

    var json: JSONValue {
        var members: [JSONValue.Member] = [.init("code", .integer(code)), .init("message", .string(message))]
        if let kind, let status {
            members.append(.init("data", .object([.init("kind", .string(kind)), .init("status", .integer(status))])))
        }
        return .object(members)
    }

    /// Creates the error that a server sent; `nil` without a code and a message.
    init?(_ value: JSONValue) {
        guard let code = value["code"]?.integer, let message = value["message"]?.string else { return nil }
        (self.code, self.message) = (code, message)
        (kind, status) = (value["data"]?["kind"]?.string, value["data"]?["status"]?.integer)
    }
}
