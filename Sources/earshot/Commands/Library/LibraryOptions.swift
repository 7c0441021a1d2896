// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Sessions
import TerminalInterface

/// The options of all commands that use the library.
struct LibraryOptions: ParsableArguments {
    @Flag(help: "Write JSON to standard output (docs/json-library.md).")
    var json = false
}

/// The length of a list.
struct ListLimit: ParsableArguments {
    /// More results than any library has.
    static let everything = 10_000_000

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of results.", valueName: "count"))
    var limit = 50

    @Flag(help: "Show all results.")
    var all = false

    var count: Int { all ? Self.everything : min(limit, Self.everything) }

    func validate() throws {
        guard limit >= 1 else { throw ValidationError("--limit must be at least 1.") }
    }
}

extension ListLayout {
    /// The layout for standard output.
    static var current: ListLayout {
        let width = Terminal.outputWidth()
        let style = LineStyle(isTerminal: width != nil, environment: CompositionRoot.environment)
        return ListLayout(width: width, glyphs: style.glyphs)
    }
}
