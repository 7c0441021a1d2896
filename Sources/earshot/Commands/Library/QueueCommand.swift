// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import EpisodeSources
import Sessions
import TerminalInterface

struct QueueCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "queue",
        abstract: "Show or change the queue.",
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

    /// Returns the episodes to queue: the named episodes, and the unplayed episodes of named podcasts. All have audio.
    static func episodes(
        _ names: EpisodeNames, _ library: Library, _ part: LibraryTargets.Part = .init()
    ) throws(LibraryError) -> NamedEpisodes {
        let targets = LibraryTargets(library)
        let podcast = try names.podcast.find(in: library)
        var named = NamedEpisodes()
        if let podcast, names.names.isEmpty { named.append(try targets.unplayed(of: podcast, part)) }
        for name in names.names {
            if let podcast {
                named.add(name, try library.episodeMatch(name, in: podcast.id))
                continue
            }
            let match = try library.object(named: name)
            switch match.object {
            case .episode(let episode): named.add(name, NameMatch(thing: episode, isExact: match.isExact))
            case .podcast(let podcast):
                let unplayed = try targets.unplayed(of: podcast, part)
                named.add(name, NameMatch(thing: podcast, isExact: match.isExact), unplayed)
            }
        }
        for episode in named.episodes { try episode.expectAudio() }
        return named
    }

    /// Returns the changed queue as JSON, or the remarks.
    static func answer(_ library: Library, _ json: Bool, _ remarks: [ReportText]) throws -> [ReportText] {
        json ? EpisodeTable.json(try library.queue()) : remarks
    }
}

struct QueueListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the queue.",
        discussion: """
            Each line shows the position (#1 plays next) and the number of the episode. The other queue commands \
            accept the number or title of an episode.

            For example:
              earshot queue list
            """)

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let json = options.json
        try await LibrarySession.run { library in
            let queue = try library.queue()
            if json { return EpisodeTable.json(queue) }
            guard !queue.isEmpty else { return [LibraryRemark.message("The queue is empty.")] }
            return EpisodeTable(.current, showsPlace: true).plain(queue)
        }
    }
}

struct QueueAddCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add",
        abstract: "Add episodes to the end of the queue.",
        discussion: """
            The name or number (p2) of a podcast adds all of its unplayed episodes, oldest first. "earshot undo" \
            removes all of them again.

            For example:
              earshot queue add 12 13
              earshot queue add "harbour tales"
              earshot queue add --podcast "harbour tales" --newest-first --limit 5
            """)

    @OptionGroup var names: EpisodeNames
    @Flag(help: "Add the newest episodes of a podcast first.")
    var newestFirst = false

    @Flag(help: "Add the played episodes of a podcast, too.")
    var includePlayed = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The maximum number of episodes of a podcast. (default: all)", valueName: "count"))
    var limit: Int?

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard limit ?? 1 >= 1 else { throw ValidationError("--limit must be at least 1.") }
    }

    func run() async throws {
        let (names, json) = (names, options.json)
        let part = LibraryTargets.Part(newestFirst: newestFirst, includesPlayed: includePlayed, most: limit)
        try await LibrarySession.run { library in
            let named = try QueueCommand.episodes(names, library, part)
            let same = named.episodes.filter(\.isQueued).map { LibraryRemark.unchanged($0, "is already in the queue") }
            let new = named.episodes.filter { !$0.isQueued }
            guard !new.isEmpty else { throw NothingChanged(same) }
            try library.enqueue(new.map(\.id))
            return try QueueCommand.answer(library, json, named.remarks + [LibraryRemark.done("Queued", new)] + same)
        }
    }
}

struct QueueNextCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "next",
        abstract: "Put episodes at the front of the queue.",
        discussion: """
            The name or number (p2) of a podcast adds all of its unplayed episodes, oldest first.

            For example:
              earshot queue next "rain on the old harbour"
            """)

    @OptionGroup var names: EpisodeNames
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (names, json) = (names, options.json)
        try await LibrarySession.run { library in
            let named = try QueueCommand.episodes(names, library)
            let ids = named.episodes.map(\.id)
            guard try !library.queue().map(\.id).starts(with: ids) else {
                throw NothingChanged(
                    named.episodes.map { LibraryRemark.unchanged($0, "is already at the front of the queue") })
            }
            try library.enqueue(ids, first: true)
            return try QueueCommand.answer(
                library, json, named.remarks + [LibraryRemark.done("Queued next", named.episodes)])
        }
    }
}
