// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import TerminalInterface

struct QueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Shows or changes what is played next.",
        discussion: """
            For example:
              earshot queue
              earshot queue add "rain on the old harbour"
            """,
        subcommands: [
            QueueListCommand.self, QueueAddCommand.self, QueueNextCommand.self, QueueMoveCommand.self,
            QueueRemoveCommand.self, QueueClearCommand.self, QueueShuffleCommand.self,
        ],
        defaultSubcommand: QueueListCommand.self)

    /// What is to be queued: all of it can be heard.
    static func episodes(_ names: [String], _ library: Library) throws -> [EpisodeSummary] {
        let episodes = try library.episodes(named: names)
        for episode in episodes { _ = try episode.audioURL() }
        return episodes
    }

    /// The queue as it is after a change, for a program; for a person what was done.
    static func answer(_ library: Library, _ json: Bool, _ remark: ReportText) throws -> [ReportText] {
        json ? EpisodeTable.json(try library.queue()) : [remark]
    }
}

/// Episodes as the listener names them.
struct EpisodeNames: ParsableArguments {
    @Argument(help: ArgumentHelp("Episodes: numbers, GUIDs, or words of the title.", valueName: "episode"))
    var episodes: [String]
}

struct QueueListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists the queue.",
        discussion: """
            For example:
              earshot queue list
            """)

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let json = options.json
        try await LibrarySession.run { library in
            let queue = try library.queue()
            if json { return EpisodeTable.json(queue) }
            guard !queue.isEmpty else { return [LibraryRemark.said("The queue is empty.")] }
            return EpisodeTable(.current, showsPlace: true).plain(queue)
        }
    }
}

struct QueueAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Puts episodes at the end of the queue.",
        discussion: """
            For example:
              earshot queue add 12 13
            """)

    @OptionGroup var names: EpisodeNames
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (names, json) = (names.episodes, options.json)
        try await LibrarySession.run { library in
            let episodes = try QueueCommand.episodes(names, library)
            try library.enqueue(episodes.map(\.id))
            return try QueueCommand.answer(library, json, LibraryRemark.done("Queued", episodes))
        }
    }
}

struct QueueNextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Puts episodes at the front of the queue.",
        discussion: """
            For example:
              earshot queue next "rain on the old harbour"
            """)

    @OptionGroup var names: EpisodeNames
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (names, json) = (names.episodes, options.json)
        try await LibrarySession.run { library in
            let episodes = try QueueCommand.episodes(names, library)
            try library.enqueue(episodes.map(\.id), first: true)
            return try QueueCommand.answer(library, json, LibraryRemark.done("Next", episodes))
        }
    }
}
