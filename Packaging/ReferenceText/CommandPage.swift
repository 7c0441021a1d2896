// SPDX-License-Identifier: GPL-3.0-or-later

/// The manual page of a command in section 1: `earshot-queue(1)` also has the commands below `earshot queue`.
enum CommandPage {
    static func source(of command: HelpCommand, in root: HelpCommand, _ release: Release) -> String {
        let title = command.path.joined(separator: "-")
        var page = Roff(title: title, section: 1, release: release)
        page.section("NAME")
        page.line("\(title.escaped) \\- \(summary(command).escaped)")
        page.section("SYNOPSIS")
        for usage in usages(of: command) { page.line(usage) }
        page.section("DESCRIPTION")
        page.text(command.abstract)
        describe(command, &page)
        if !command.subcommands.isEmpty {
            page.section("COMMANDS")
            for child in command.subcommands.flatMap(\.tree) { subcommand(child, &page) }
        }
        listings(of: command, as: { page, title in page.section(title) }, &page)
        page.section("SEE ALSO")
        page.line(seeAlso(command))
        return page.source
    }

    /// The abstract as the NAME section has it: without a full stop.
    static func summary(_ command: HelpCommand) -> String {
        let text = command.abstract.hasSuffix(".") ? String(command.abstract.dropLast()) : command.abstract
        return text.prefix(1).lowercased() + text.dropFirst()
    }

    private static func usages(of command: HelpCommand) -> [String] {
        let own = command.subcommands.isEmpty || !command.positionals.isEmpty ? [usage(of: command)] : []
        let lines = own + command.subcommands.map(usage)
        return lines.enumerated().flatMap { $0.offset == 0 ? [$0.element] : [".br", $0.element] }
    }

    private static func usage(of command: HelpCommand) -> String {
        let options = command.options.contains { $0.names != ["--help", "-h"] } ? [" [\(Roff.italic("options"))]"] : []
        let values = command.positionals.map { argument in
            let value = Roff.italic(argument.valueName) + (argument.isRepeating ? "..." : "")
            return argument.isOptional ? " [\(value)]" : " \(value)"
        }
        let word = command.subcommands.isEmpty ? [] : [" \(Roff.italic("command"))"]
        return Roff.bold(command.name) + (options + word + values).joined()
    }

    /// Writes the paragraphs, arguments and options.
    private static func describe(_ command: HelpCommand, _ page: inout Roff) {
        for paragraph in Discussion(command.discussion).paragraphs { page.paragraph(paragraph) }
        guard !command.arguments.isEmpty else { return }
        for argument in command.positionals { page.entry(Roff.italic(argument.valueName), meaning(argument)) }
        if !command.options.isEmpty && command.path.count == 2 { page.section("OPTIONS") }
        for option in command.options { page.entry(tag(option), meaning(option)) }
    }

    private static func subcommand(_ command: HelpCommand, _ page: inout Roff) {
        page.subsection(command.name)
        page.line(usage(of: command))
        page.paragraph(command.abstract)
        describe(command, &page)
        listings(of: command, as: { $0.paragraph($1 + ":") }, &page)
    }

    private static func tag(_ option: HelpArgument) -> String {
        let names = option.names.map(Roff.bold).joined(separator: ", ")
        return option.kind == .option ? names + " " + Roff.italic(option.valueName) : names
    }

    private static func meaning(_ argument: HelpArgument) -> String {
        var text = argument.abstract.isEmpty ? "The \(argument.valueName)." : argument.abstract
        if !argument.values.isEmpty { text += " Values: \(argument.values.joined(separator: ", "))." }
        if let value = argument.defaultValue, !text.contains("(default:") { text += " (default: \(value))" }
        return text
    }

    static func listings(of command: HelpCommand, as heading: (inout Roff, String) -> Void, _ page: inout Roff) {
        for listing in Discussion(command.discussion).listings {
            let isExample = listing.heading == Discussion.examples
            let title = isExample ? (command.path.count > 2 ? Discussion.examples : "EXAMPLES") : listing.heading
            heading(&page, command.path.count > 2 ? title : title.uppercased())
            page.example(listing.lines)
        }
    }

    private static func seeAlso(_ command: HelpCommand) -> String {
        var pages = [".BR earshot (1)"]
        if command.path.last == "settings" { pages.append(".BR earshot\\-settings (5)") }
        if ["play", "status", "events"].contains(command.path.last) { pages.append(".BR earshot\\-protocol (7)") }
        return pages.joined(separator: " ,\n")
    }
}
