// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Screens
import Sessions
import TerminalInterface

struct TuiCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "tui", abstract: "Show podcasts, queue and player on the whole screen.",
        discussion: """
            "earshot" without arguments does the same in a terminal. In the screen, ? shows the keys. Leaving the \
            screen with q does not stop playback; Q stops it.

            --lines reads commands line by line instead and reports events as sentences, for screen readers. It is \
            the default if TERM is "dumb".

            For example:
              earshot tui
              earshot tui --lines
            """)

    @Flag(help: "Read commands line by line, and write sentences instead of a screen.")
    var lines = false

    @Option(
        help: ArgumentHelp(
            "The sound output if the screen starts the player, as in \"earshot play\".", valueName: "output"),
        transform: { text in
            _ = try OutputOption(parsing: text)
            return text
        })
    var output: String?

    func run() async throws {
        let canDraw = LineStyle.canRedraw(
            isTerminal: Terminal.standardOutputIsTerminal, environment: CompositionRoot.environment)
        if lines || Terminal.standardOutputIsTerminal && !canDraw {
            try await LineSession.run(parse: { PlayCommand.parsed($0) }, output: output).check()
        } else {
            try await ScreenSession.run(
                commands: { CommandList.all }, parse: { PlayCommand.parsed($0) }, output: output
            ).check()
        }
    }
}

/// The commands of the program, for completion in the screen.
enum CommandList {
    static var all: [CommandWord] {
        EarshotCommand.configuration.subcommands.flatMap { words(of: $0, after: "") }
            + [CommandWord("help", help: "Show the help of a command.")]
    }

    private static func words(of command: any ParsableCommand.Type, after parent: String) -> [CommandWord] {
        guard let name = command.configuration.commandName, command.configuration.shouldDisplay else { return [] }
        let word = CommandWord(parent + name, help: command.configuration.abstract, options: options(of: command))
        return [word] + command.configuration.subcommands.flatMap { words(of: $0, after: parent + name + " ") }
    }

    /// Returns the long options that the help lists, each on a line of its own.
    private static func options(of command: any ParsableCommand.Type) -> [String] {
        EarshotCommand.helpMessage(for: command, columns: 200).split(separator: "\n").compactMap { line in
            let text = line.drop { $0 == " " }
            guard text.hasPrefix("-"), line.hasPrefix("  ") else { return nil }
            let words = text.split { " ,/".contains($0) }
            return words.first { $0.hasPrefix("--") }.map(String.init)
        }
    }
}
