// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Logging
import ProgressiveDownload
import Sessions
import TerminalInterface

/// Parses an argument in `validate()`.
/// - Throws: the reason for an invalid argument, as a `ValidationError`, which has status 64.
func validated<Value>(_ parse: () throws(ArgumentError) -> Value) throws -> Value {
    do throws(ArgumentError) { return try parse() } catch { throw ValidationError(error.description) }
}

extension [String] {
    /// The values without the first `--`, which ends the options: `allUnrecognized` keeps it among the values.
    var withoutTerminator: [String] {
        guard let index = firstIndex(of: "--") else { return self }
        return Array(self[..<index] + self[(index + 1)...])
    }
}

/// The option of all commands that read or change the download folder.
struct FolderOption: ParsableArguments {
    @Option(help: ArgumentHelp("The download folder.", valueName: "folder"))
    var keepDir: String?

    var folders: KeepFolders { CompositionRoot.keepFolders(keepDir) }
}

struct LogOption: ParsableArguments {
    @Option(
        help: "The log level: trace, debug, info, notice, warning, error or critical.",
        transform: { (text) throws in
            guard let level = Logger.Level(rawValue: text) else {
                throw ArgumentError(
                    "unknown log level \"\(text)\": write trace, debug, info, notice, warning, error or critical")
            }
            return level
        })
    var logLevel: Logger.Level = .warning
}

struct QuietOption: ParsableArguments {
    @Flag(help: "Print only errors.")
    var quiet = false
}

struct EventOption: ParsableArguments {
    @Flag(help: "Write one JSON object per line to standard output (docs/json-events.md).")
    var json = false
}

/// The options of all commands that run a session with episodes.
struct SessionOptionGroup: ParsableArguments {
    @OptionGroup var folder: FolderOption
    @OptionGroup var log: LogOption

    func options(quiet: Bool, json: Bool = false) -> SessionOptions {
        SessionOptions(quiet: quiet, json: json, keepFolder: folder.keepDir, logLevel: log.logLevel)
    }
}

extension TerminalInterface.ExitStatus {
    /// Throws the status unless it is that of a success.
    func check() throws {
        if self != .success { throw self }
    }
}
