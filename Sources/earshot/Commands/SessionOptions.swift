// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Logging
import TerminalInterface

/// What every command has that fetches episodes.
struct SessionOptions: ParsableArguments {
    @Flag(help: "Write one JSON object a line to standard output: docs/json-events.md.")
    var json = false

    @Option(help: ArgumentHelp("The folder that keeps the downloads.", valueName: "folder"))
    var keepDir: String?

    @Option(help: "trace, debug, info, notice, warning, error or critical.", transform: LogLevel.parse)
    var logLevel: Logger.Level = .warning
}

enum LogLevel {
    static func parse(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ArgumentError("'\(text)' is no log level")
        }
        return level
    }
}
