// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A line that the owner sends.
public enum ServerLine: Sendable, Equatable {
    case hello(Hello)
    /// - `id`: `nil` if the request was so malformed that its identity is unknown.
    case response(id: RequestID?, Result<JSONValue, ControlError>)
    /// The parameters of an event: `event`, `seq`, `at`, `by`, `cause` and the keys of the event.
    case event(JSONValue)
    /// The answer to a line of `--commands`; `problem` is `nil` if the command was accepted.
    case answer(command: String, problem: String?)

    var json: JSONValue {
        switch self {
        case .hello(let hello): Self.notification("hello", hello.json)
        case .response(let id, .success(let result)): Self.response(id, .init("result", result))
        case .response(let id, .failure(let error)): Self.response(id, .init("error", error.json))
        case .event(let parameters): Self.notification("event", parameters)
        case .answer(let command, let problem):
            .object([
                .init("event", .string("answer")), .init("command", .string(String(command.prefix(200)))),
                .init("ok", .bool(problem == nil)), .init("error", .optional(problem, JSONValue.string)),
            ])
        }
    }

    /// The line with its end.
    var bytes: [UInt8] {
        var writer = JSONWriter(.terminal, capacity: 256)
        json.write(to: &writer)
        return writer.bytes + [0x0A]
    }

    private static let version = JSONValue.Member("jsonrpc", .string("2.0"))

    private static func notification(_ method: String, _ parameters: JSONValue) -> JSONValue {
        .object([version, .init("method", .string(method)), .init("params", parameters)])
    }

    private static func response(_ id: RequestID?, _ outcome: JSONValue.Member) -> JSONValue {
        .object([version, .init("id", .optional(id, \.json)), outcome])
    }
}

extension ServerLine {
    /// Parses a line; `nil` if it belongs to no protocol that this version knows. Notifications of later versions are
    /// among those.
    init?(parsing text: String) {
        guard let object = try? JSONValue(parsing: text) else { return nil }
        if let method = object["method"]?.string {
            self.init(notification: method, object["params"] ?? .null)
        } else if object["event"]?.string == "answer" {
            self = .answer(command: object["command"]?.string ?? "", problem: object["error"]?.string)
        } else {
            self.init(response: object)
        }
    }

    private init?(notification method: String, _ parameters: JSONValue) {
        switch method {
        case "event": self = .event(parameters)
        case "hello":
            guard let hello = Hello(parameters) else { return nil }
            self = .hello(hello)
        default: return nil
        }
    }

    private init?(response object: JSONValue) {
        let id = object["id"].flatMap { RequestID($0) }
        if let result = object["result"] {
            self = .response(id: id, .success(result))
        } else if let error = object["error"].flatMap({ ControlError($0) }) {
            self = .response(id: id, .failure(error))
        } else {
            return nil
        }
    }
}
