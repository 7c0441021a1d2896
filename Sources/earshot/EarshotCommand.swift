// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Glibc
import Media
import Sessions
import TerminalInterface

struct EarshotCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "earshot",
        abstract: "Play podcast episodes while they download.",
        discussion: """
            For example:
              earshot play https://example.net/feed.xml
              earshot download https://example.net/feed.xml
              earshot feed parse https://example.net/feed.xml --json

            Exit statuses:
            \(ExitStatus.table)
            """,
        version: "earshot \(CompositionRoot.version)",
        subcommands: [
            SubscribeCommand.self, RefreshCommand.self, PlayCommand.self, StatusCommand.self, PauseCommand.self,
            ResumeCommand.self, ToggleCommand.self, StopCommand.self, NextCommand.self, PreviousCommand.self,
            SeekCommand.self, ChapterCommand.self, VolumeCommand.self, SpeedCommand.self, SleepCommand.self,
            EventsCommand.self, ServeCommand.self, DownloadCommand.self, DownloadsCommand.self,
            RemoveCommand.self, PodcastsCommand.self, EpisodesCommand.self, ShowCommand.self,
            SearchCommand.self, TranscriptCommand.self, QueueCommand.self, SmartCommand.self, MarkCommand.self,
            HistoryCommand.self, StatsCommand.self, UndoCommand.self, BookmarksCommand.self, BookmarkCommand.self,
            SettingsCommand.self, UnsubscribeCommand.self, RenameCommand.self, MergeCommand.self, SplitCommand.self,
            WhyCommand.self,
            ImportCommand.self, ExportCommand.self, FeedCommand.self, LoopCommand.self, RenderCommand.self,
            ClipCommand.self, DoctorCommand.self, TuiCommand.self, CompleteCommand.self,
        ])
}

@main
enum Program {
    /// Blocks the signals before any other thread exists; later threads inherit the mask. An `async` main does not work
    /// here, because its waiting main thread unblocks signals.
    static func main() {
        SignalWatcher.block()
        ProcessMemory.limitArenas()
        StandardStreams.open()
        if let shortage = DescriptorLimit.shortage() {
            StandardStreams.write([LibraryRemark.message("earshot: \(shortage)")])
            exit(TerminalInterface.ExitStatus.temporary.rawValue)
        }
        CompositionRoot.preload(for: CommandLine.arguments)
        Task.detached { await run() }
        while true { pause() }
    }

    /// Reports wrong arguments. A script may pass titles with control characters, which must not reach the terminal.
    private static func reportWrongArguments(_ failure: any Error) {
        if let sentence = UnknownArguments.sentence(for: Array(CommandLine.arguments.dropFirst()), failure) {
            StandardStreams.write([LibraryRemark.message("Error: \(sentence)")])
        } else {
            let message = EarshotCommand.fullMessage(for: failure)
            guard EarshotCommand.exitCode(for: failure) == .validationFailure, !message.isEmpty else { return }
            let lines = message.split(separator: "\n", omittingEmptySubsequences: false)
            let printable = lines.map {
                PrintableText(keepingSpaces: InvalidValue.corrected(String($0)), cutTo: .max).text
            }
            StandardStreams.write([.error(printable.joined(separator: "\n") + "\n")])
        }
        exit(TerminalInterface.ExitStatus.wrongUsage.rawValue)
    }

    /// The arguments; without any, a terminal shows the screen, and a pipe gets the help.
    private static var arguments: [String]? {
        let isScreen = CommandLine.arguments.count <= 1 && Terminal.standardInputIsTerminal
        return isScreen && Terminal.standardOutputIsTerminal ? ["tui"] : nil
    }

    private static func run() async -> Never {
        var failure: (any Error)?
        do {
            var command = try await EarshotCommand.asyncParseAsRoot(arguments)
            if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
        } catch let status as TerminalInterface.ExitStatus {
            failure = ExitCode(status.rawValue)
        } catch {
            failure = error
        }
        let loss = StandardStreams.loss
        if let loss { StandardStreams.write([FailureText.line(loss.failure, about: loss.stream)]) }
        // An earlier failure decides the status.
        if let failure {
            reportWrongArguments(failure)
            EarshotCommand.exit(withError: failure)
        }
        exit((loss.map { TerminalInterface.ExitStatus($0.failure.kind) } ?? .success).rawValue)
    }
}
