// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Media
import Playback
import TerminalInterface

/// Advice for unknown commands and options.
enum UnknownArguments {
    /// Returns the advice; `nil` if the arguments have another error.
    static func sentence(for arguments: [String], _ error: any Error) -> String? {
        let topic = arguments.first == "help" ? arguments.dropFirst().first : arguments.first
        if let first = topic, !first.hasPrefix("-"), !commands.contains(first) {
            let shown = PublicAddress.typed(first)
            return "There is no command \"\(shown)\". \(advice(on: shown)) See earshot --help"
        }
        guard EarshotCommand.exitCode(for: error) == .validationFailure else { return nil }
        if let reason = negativeTime(arguments) { return reason }
        let message = EarshotCommand.message(for: error)
        if message.lowercased().contains("unexpected argument"), let advice = subcommandAdvice(arguments) {
            return advice
        }
        return options.first { message.contains("Unknown option '\($0.name)'") }?.advice
    }

    /// Returns the reason why a time with a minus sign is refused, which looks like an option.
    private static func negativeTime(_ arguments: [String]) -> String? {
        let places = ["sleep": 1, "bookmark": 2]
        guard let command = arguments.first, let place = places[command], arguments.count > place,
            arguments[1..<place].allSatisfy({ !$0.hasPrefix("-") })
        else { return nil }
        let word = arguments[place]
        guard word.hasPrefix("-"), let digit = word.dropFirst().first, digit.isASCII, digit.isNumber else { return nil }
        do throws(ArgumentError) {
            if command == "sleep" { _ = try SleepTimer.parse([word]) } else { _ = try TimeTarget(parsing: word) }
            return nil
        } catch {
            return error.description
        }
    }

    private static var commands: [String] {
        EarshotCommand.configuration.subcommands.compactMap { $0.configuration.commandName } + ["help"]
    }

    /// Returns advice for words where a subcommand belongs.
    private static func subcommandAdvice(_ arguments: [String]) -> String? {
        let words = arguments.dropFirst().filter { !$0.hasPrefix("-") }
        let shown = words.map { $0.contains(" ") ? "\"\($0)\"" : $0 }.joined(separator: " ")
        guard let command = arguments.first, let name = words.first else { return nil }
        let advice: String? =
            switch command {
            case "settings" where !isSubcommand(name, of: SettingsCommand.self):
                words.count == 1
                    ? "To show the value: earshot settings get \(shown)"
                    : "To change the value: earshot settings set \(shown)"
            case "queue" where !isSubcommand(name, of: QueueCommand.self):
                "To add an episode: earshot queue add \(shown)"
            case "smart" where !isSubcommand(name, of: SmartCommand.self):
                "To play a smart queue: earshot play --smart \(shown)"
            default: nil
            }
        return advice.map { "There is no command \"\(command) \(name)\". \($0)" }
    }

    private static func isSubcommand(_ word: String, of command: any ParsableCommand.Type) -> Bool {
        command.configuration.subcommands.contains { $0.configuration.commandName == word }
    }

    private static let options: [(name: String, advice: String)] = [
        ("--rate", "The option is called --speed."),
        ("--shuffle", "To shuffle the queue: earshot queue shuffle"),
    ]

    private static func advice(on word: String) -> String {
        if word.contains("/") || word.contains(".") { return "To play it: earshot play \(word)." }
        if let known = hints.first(where: { $0.words.contains(word.lowercased()) }) { return known.advice }
        let close = commands.map { ($0, EditDistance.between(word, $0)) }.filter { $0.1 <= 2 }.min { $0.1 < $1.1 }
        return close.map { "Did you mean \"\($0.0)\"?" } ?? "To play an episode: earshot play \"\(word)\"."
    }

    private static let hints: [(words: Set<String>, advice: String)] = [
        (["continue", "unpause"], "earshot resume resumes playback."),
        (["quit"], "earshot stop ends playback; during playback, press q."),
        (["skip"], "earshot next plays the next episode."),
        (["louder", "softer", "mute"], "earshot volume +5 changes the volume; during playback, press + or -."),
        (["faster", "slower"], "earshot speed +0.1 changes the speed; during playback, press [ or ]."),
        (["forward", "back", "rewind"], "earshot seek -10 goes back 10 seconds."),
        (["timer"], "earshot sleep 30m sets the sleep timer; during playback, press z."),
        (["list", "ls"], "earshot episodes lists episodes, earshot podcasts lists podcasts."),
        (["chapters", "info", "notes"], "earshot show NAME shows chapters and notes."),
        (["add"], "earshot subscribe URL adds a podcast, earshot queue add NAME an episode."),
        (["update", "sync", "fetch"], "earshot refresh fetches new episodes."),
        (["delete", "rm"], "earshot remove NAME removes a download, earshot unsubscribe NAME a podcast."),
        (["transcripts", "subtitles", "lyrics"], "earshot transcript EPISODE prints a transcript."),
        (["find"], "earshot search WORDS finds episodes."),
        (["config", "set"], "earshot settings shows and changes settings."),
        (["version"], "earshot --version prints the version."),
    ]
}

/// The edit distance of two words.
enum EditDistance {
    static func between(_ one: String, _ other: String) -> Int {
        let letters = Array(other)
        var row = Array(0...letters.count)
        for (place, letter) in one.enumerated() {
            var next = [place + 1]
            for (column, wanted) in letters.enumerated() {
                next.append(min(row[column + 1] + 1, next[column] + 1, row[column] + (letter == wanted ? 0 : 1)))
            }
            row = next
        }
        return row[letters.count]
    }
}
