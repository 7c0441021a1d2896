// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Sessions

/// Answers the completion scripts of the shells.
struct CompleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "complete", abstract: "Print names that begin with a text, for the completion of a shell.",
        shouldDisplay: false)

    @Argument(help: "The kind: names, podcasts, episodes, groups, smart, bookmarks, settings or values.")
    var kind: String

    @Argument(help: "The typed text, then the argument before it.")
    var texts: [String] = []

    func run() {
        CompletionSession.run(kind: kind, typed: texts.first ?? "", before: texts.dropFirst().first ?? "")
    }
}
