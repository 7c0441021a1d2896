// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Glibc
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
        Task.detached {
            await EarshotCommand.main()
            exit(TerminalInterface.ExitStatus.success.rawValue)
        }
        while true { pause() }
    }
}
