// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Logging
import TerminalInterface

/// The options of all commands that download episodes.
struct SessionOptions: ParsableArguments {
    @Flag(help: "Write one JSON object per line to standard output (docs/json-events.md).")
    var json = false

    @Option(help: ArgumentHelp("The download folder.", valueName: "folder"))
    var keepDir: String?

    @Option(help: "The log level: trace, debug, info, notice, warning, error or critical.", transform: LogLevel.parse)
    var logLevel: Logger.Level = .warning
}

enum LogLevel {
    static func parse(_ text: String) throws -> Logger.Level {
        guard let level = Logger.Level(rawValue: text) else {
            throw ArgumentError("unknown log level \"\(text)\"")
        }
        return level
    }
}
