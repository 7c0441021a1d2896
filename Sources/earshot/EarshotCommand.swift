// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Glibc
import Media
import TerminalInterface

struct EarshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "earshot",
        abstract: "Plays podcast episodes while they download.",
        discussion: """
            For example:
              earshot play https://example.net/feed.xml
              earshot download https://example.net/feed.xml
              earshot feed parse https://example.net/feed.xml --json

            Exit statuses:
            \(ExitStatus.table)
            """,
        version: "earshot 0.1.0",
        subcommands: [
            SubscribeCommand.self, RefreshCommand.self, PlayCommand.self, DownloadCommand.self, DownloadsCommand.self,
            RemoveCommand.self, PodcastsCommand.self, EpisodesCommand.self, ShowCommand.self, SearchCommand.self,
            QueueCommand.self, MarkCommand.self, HistoryCommand.self, UndoCommand.self, BookmarksCommand.self,
            BookmarkCommand.self, SettingsCommand.self, UnsubscribeCommand.self, RenameCommand.self,
            MergeCommand.self, SplitCommand.self, WhyCommand.self, ImportCommand.self, ExportCommand.self,
            FeedCommand.self, LoopCommand.self, RenderCommand.self, DoctorCommand.self,
        ])
}

@main
enum Program {
    /// Every thread made after this line inherits the blocked signals, and there is none before it. That is why this
    /// is no `async` main, whose waiting main thread takes signals again.
    static func main() {
        SignalWatcher.block()
        StandardStreams.open()
        Task.detached { await run() }
        while true { pause() }
    }

    private static func run() async -> Never {
        var failure: (any Error)?
        do {
            var command = try await EarshotCommand.asyncParseAsRoot()
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch {
            failure = error
        }
        // What went wrong before decides how it ends; what is lost is told in any case.
        let lost = StandardStreams.outputFailure
        if let lost { StandardStreams.write([FailureText.line(lost, about: "standard output")]) }
        if let failure { EarshotCommand.exit(withError: failure) }
        exit((lost.map { TerminalInterface.ExitStatus($0.kind) } ?? .success).rawValue)
    }
}
