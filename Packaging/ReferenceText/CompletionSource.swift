// SPDX-License-Identifier: GPL-3.0-or-later

/// The source of the words that complete an argument.
enum CompletionSource: Equatable {
    /// The output of `earshot complete KIND`.
    case library(String)
    /// The values of the setting named by the argument before this one.
    case values
    case files, folders
    case words([String])
    /// A free text or a number.
    case nothing

    /// The form in the completion scripts.
    var word: String {
        switch self {
        case .library(let kind): "@" + kind
        case .values: "@values"
        case .files: "@files"
        case .folders: "@folders"
        case .words(let words): words.joined(separator: ",")
        case .nothing: "@nothing"
        }
    }

    /// Returns the source for an argument; `nil` if the table has none, which a test reports.
    init?(of argument: HelpArgument, in command: HelpCommand) {
        let words = command.path.dropFirst().joined(separator: " ")
        let key = argument.names.first ?? argument.valueName
        if !argument.values.isEmpty {
            self = .words(argument.values)
        } else if let source = Self.exceptions[words + " " + key] ?? Self.table[key] {
            self = source
        } else {
            return nil
        }
    }

    /// Sources of arguments that differ from the table, by the command and the argument.
    private static let exceptions: [String: CompletionSource] = [
        "serve --output": .words(["pulse", "null"]), "tui --output": .words(["pulse", "null"]),
        "download --output": .files, "render --output": .files, "clip --output": .files,
        "smart create name": .nothing, "smart show name": .library("smart"), "smart delete name": .library("smart"),
        "feed parse --url": .nothing, "download --episode": .words(["latest", "oldest", "all"]),
        "bookmark --remove": .library("bookmarks"), "sleep time": .words(["30m", "60m", "chapter", "episode", "off"]),
    ]

    /// Sources by the name of an option, or by the value name of an argument.
    private static let table: [String: CompletionSource] = [
        // Names of the library.
        "--podcast": .library("podcasts"), "podcast": .library("podcasts"), "target": .library("names"),
        "name": .library("names"), "input": .library("names"), "episode": .library("episodes"),
        "into": .library("episodes"), "--group": .library("groups"), "--smart": .library("smart"),
        "--bookmark": .library("bookmarks"), "part": .library("bookmarks"), "key": .library("settings"),
        "value": .values,
        // Files.
        "file": .files, "feed": .files, "--keep-dir": .folders,
        // Words.
        "--episode": .words(["latest", "oldest", "all"]), "--repeat": .words(["off", "one", "all"]),
        "--trim-silence": .words(["off", "mild", "medium", "strong"]), "--loudness": .words(["off", "-16"]),
        "--voice-boost": .words(["off", "on"]), "--sleep": .words(["30m", "60m", "chapter", "episode"]),
        "chapter": .words(["next", "previous"]), "--show": .words(["transcript"]),
        "--output": .words(["pulse", "null", "null:fast", "wav:", "raw:"]),
        "--log-level": .words(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
        "--sample": .words(["int16", "int24", "int32", "float32", "float64"]), "--commands": .words(["-"]),
        "--since": .words(["1d", "1w", "2w", "30d"]), "--idle-exit": .words(["10m", "30m", "1h"]),
        // Times, numbers and free text.
        "--from": .nothing, "--until": .nothing, "--volume": .nothing, "--speed": .nothing, "--within": .nothing,
        "--format": .nothing, "--limit": .nothing, "--days": .nothing, "--seed": .nothing, "--shift": .nothing,
        "--content-type": .nothing, "--url": .nothing, "--times": .nothing, "--crossfade": .nothing,
        "--gain": .nothing, "--rate": .nothing, "--channels": .nothing, "--quality": .nothing, "--length": .nothing,
        "--remove": .nothing, "--result": .nothing, "url": .nothing, "time": .nothing, "percent": .nothing,
        "speed": .nothing, "word": .nothing, "position": .nothing, "title": .nothing, "A-B": .nothing,
        "subcommands": .nothing,
    ]
}
