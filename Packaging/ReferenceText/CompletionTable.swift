// SPDX-License-Identifier: GPL-3.0-or-later

/// What the completion scripts of all shells know about one command.
struct CompletionEntry: Equatable {
    /// The words after `earshot`: `queue add`; empty for the program.
    let words: String
    let subcommands: [(name: String, abstract: String)]
    let options: [Option]
    /// The sources of the arguments in order.
    let arguments: [CompletionSource]
    /// True if the last argument may occur again.
    let repeats: Bool

    struct Option: Equatable {
        let names: [String]
        let abstract: String
        /// `nil` for a flag.
        let source: CompletionSource?
    }

    init(_ command: HelpCommand) {
        words = command.path.dropFirst().joined(separator: " ")
        subcommands = command.subcommands.map { ($0.path.last ?? "", $0.abstract) }
        options = command.options.map { option in
            let source = CompletionSource(of: option, in: command) ?? .nothing
            return Option(
                names: option.names, abstract: option.abstract, source: option.kind == .option ? source : nil)
        }
        arguments = command.positionals.map { CompletionSource(of: $0, in: command) ?? .nothing }
        repeats = command.positionals.last?.isRepeating ?? false
    }

    static func == (one: CompletionEntry, other: CompletionEntry) -> Bool {
        one.words == other.words && one.options == other.options && one.arguments == other.arguments
            && one.repeats == other.repeats && one.subcommands.map(\.name) == other.subcommands.map(\.name)
    }

    /// Creates the entry for the words after `earshot help` and those of a command: the names of its subcommands.
    private init(helpOn command: HelpCommand) {
        words = (["help"] + command.path.dropFirst()).joined(separator: " ")
        subcommands = command.subcommands.filter { $0.path.last != "help" }.map { ($0.path.last ?? "", $0.abstract) }
        (options, arguments, repeats) = ([], [], false)
    }

    static func all(in root: HelpCommand) -> [CompletionEntry] {
        let groups = root.tree.filter { !$0.subcommands.isEmpty }
        let entries = root.tree.map { CompletionEntry($0) }.filter { $0.words != "help" }
        return entries + groups.map { CompletionEntry(helpOn: $0) }
    }

    /// The names of options, each followed by `=` and its source if it has a value.
    var optionWords: [String] {
        options.flatMap { option in
            option.names.map { name in option.source.map { "\(name)=\($0.word)" } ?? name }
        }
    }

    /// The sources of the arguments, the last with `*` if it repeats.
    var argumentWords: [String] {
        arguments.enumerated().map { index, source in
            source.word + (repeats && index == arguments.count - 1 ? "*" : "")
        }
    }
}

extension String {
    /// The text in single quotes, for bash and zsh.
    var shellQuoted: String { "'" + replacing("'", with: "'\\''") + "'" }
    /// The text in single quotes, for fish.
    var fishQuoted: String { "'" + replacing("\\", with: "\\\\").replacing("'", with: "\\'") + "'" }
}
