// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The tables of methods and events, for programs and for people.
public enum ProtocolDocument {
    /// The result of `describe`.
    static let description = JSONValue.object([
        .init("protocol", .integer(Hello.currentProtocol)),
        .init("methods", .array(MethodDescription.all.map(json))),
        .init("events", .array(EventDescription.all.map(json))),
    ])

    private static func json(_ method: MethodDescription) -> JSONValue {
        .object([
            .init("name", .string(method.name.rawValue)), .init("help", .string(method.help)),
            .init("params", json(method.parameters)), .init("result", json(method.resultFields)),
        ])
    }

    private static func json(_ event: EventDescription) -> JSONValue {
        .object([
            .init("name", .string(event.name.rawValue)), .init("topic", .string(event.name.topic.rawValue)),
            .init("help", .string("Sent when \(event.help).")), .init("keys", json(event.keys)),
        ])
    }

    private static func json(_ fields: [Field]) -> JSONValue {
        .array(
            fields.map { field in
                .object([
                    .init("name", .string(field.name)), .init("type", .string(field.type.name)),
                    .init("required", .bool(field.isRequired)), .init("help", .string(field.help)),
                ])
            })
    }
}

extension ProtocolDocument {
    /// The reference of methods and events as Markdown, the second part of docs/protocol.md.
    public static let reference: String =
        "## Methods\n\n" + MethodDescription.all.map(section).joined(separator: "\n")
        + "\n## Events\n\n" + EventDescription.all.map(section).joined(separator: "\n")

    private static func section(_ method: MethodDescription) -> String {
        let example = request(method)
        let reply = #"{"jsonrpc":"2.0","id":1,"result":\#(method.example.result)}"#
        let result =
            switch method.result {
            case .status where method.name != .status: "The result is that of `player.status`.\n\n"
            case .statusAnd(let more): "The result is that of `player.status` and more.\n\n" + table("result", more)
            default: table("result", method.resultFields)
            }
        return "### `\(method.name.rawValue)`\n\n\(method.help)\n\n" + table("parameter", method.parameters)
            + result + "    > \(example)\n    < \(reply)\n"
    }

    private static func section(_ event: EventDescription) -> String {
        let keys = event.example == "{}" ? "}" : "," + event.example.dropFirst()
        let head = #"{"seq":81,"at":86400.5,"by":"mpris","cause":null,"event":"\#(event.name.rawValue)""#
        return "### `\(event.name.rawValue)`\n\nTopic `\(event.name.topic.rawValue)`. Sent when \(event.help).\n\n"
            + table("key", event.keys) + #"    < {"jsonrpc":"2.0","method":"event","params":\#(head)\#(keys)}"# + "\n"
    }

    private static func table(_ title: String, _ fields: [Field]) -> String {
        guard !fields.isEmpty else { return "" }
        let rows = fields.map { field in
            "| `\(field.name)` | \(field.type.name)\(field.isRequired ? "" : ", optional") | \(field.help) |\n"
        }
        return "| \(title) | type | meaning |\n|---|---|---|\n" + rows.joined() + "\n"
    }
}

extension ProtocolDocument {
    private static func request(_ method: MethodDescription) -> String {
        let parameters = method.example.parameters == "{}" ? "" : ",\"params\":\(method.example.parameters)"
        return "{\"id\":1,\"method\":\"\(method.name.rawValue)\"\(parameters)}"
    }
}
