// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A command of the program, from the output of `earshot --experimental-dump-help`.
public struct HelpCommand: Sendable, Equatable {
    /// The words of the command: `["earshot", "queue", "add"]`.
    public let path: [String]
    public let abstract: String
    public let discussion: String
    public let arguments: [HelpArgument]
    public let subcommands: [HelpCommand]

    /// The words of the command as the user types them.
    public var name: String { path.joined(separator: " ") }

    /// Parses the JSON document of the program.
    /// - Returns: `nil` if the document has another form.
    public init?(dump: String) {
        guard let document = try? JSONValue(parsing: dump), let command = document["command"] else { return nil }
        self.init(command, below: [])
    }

    private init?(_ json: JSONValue, below parents: [String]) {
        guard let word = json["commandName"]?.string, json["shouldDisplay"]?.bool ?? true else { return nil }
        path = parents + [word]
        abstract = json["abstract"]?.string ?? ""
        discussion = json["discussion"]?.string ?? ""
        arguments = (json["arguments"]?.elements ?? []).compactMap(HelpArgument.init)
        subcommands = (json["subcommands"]?.elements ?? []).compactMap { [path] in HelpCommand($0, below: path) }
    }

    /// The command and all commands below it, each parent before its children.
    public var tree: [HelpCommand] { [self] + subcommands.flatMap(\.tree) }

    public var options: [HelpArgument] { arguments.filter { $0.kind != .positional } }
    public var positionals: [HelpArgument] { arguments.filter { $0.kind == .positional } }
}

/// An argument, option or flag of a command.
public struct HelpArgument: Sendable, Equatable {
    public enum Kind: String, Sendable { case positional, option, flag }

    public let kind: Kind
    /// The names with their hyphens, the preferred one first: `--output`, `-o`.
    public let names: [String]
    public let valueName: String
    public let abstract: String
    public let isOptional: Bool
    public let isRepeating: Bool
    /// The only accepted values, if the program lists them.
    public let values: [String]
    public let defaultValue: String?

    init?(_ json: JSONValue) {
        guard json["shouldDisplay"]?.bool ?? true, let kind = json["kind"]?.string.flatMap(Kind.init) else {
            return nil
        }
        self.kind = kind
        let names = (json["names"]?.elements ?? []).compactMap(Self.name)
        self.names = names.sorted { $0.utf8.count > $1.utf8.count }
        valueName = json["valueName"]?.string ?? ""
        abstract = json["abstract"]?.string ?? ""
        isOptional = json["isOptional"]?.bool ?? false
        isRepeating = json["isRepeating"]?.bool ?? false
        values = (json["allValues"]?.elements ?? []).compactMap(\.string)
        defaultValue = json["defaultValue"]?.string
    }

    private static func name(_ json: JSONValue) -> String? {
        guard let name = json["name"]?.string else { return nil }
        return (json["kind"]?.string == "long" ? "--" : "-") + name
    }
}
