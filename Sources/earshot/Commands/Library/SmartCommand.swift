// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Media
import Sessions
import TerminalInterface

struct SmartCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "smart",
        abstract: "Show or change smart queues, which select unplayed episodes by a rule.",
        discussion: """
            A refresh adds new episodes to a smart queue, and a played episode leaves it. "earshot play --smart NAME" \
            plays a smart queue.

            For example:
              earshot smart create morning --group news --newest-first --limit 10
              earshot smart show morning
              earshot play --smart morning
            """,
        subcommands: [
            SmartListCommand.self, SmartCreateCommand.self, SmartShowCommand.self, SmartDeleteCommand.self,
        ],
        defaultSubcommand: SmartListCommand.self)
}

struct SmartListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List the smart queues.",
        discussion: """
            For example:
              earshot smart list
            """)

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let json = options.json
        try await LibrarySession.run { library in
            let table = try SmartQueueTable(library.smartQueues(), library)
            return json ? table.json() : table.plain(.current)
        }
    }
}

struct SmartCreateCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "create",
        abstract: "Create a smart queue of unplayed episodes.",
        discussion: """
            Without --podcast and --group, it selects from all podcasts.

            For example:
              earshot smart create tales --podcast "harbour tales"
              earshot smart create morning --group news --newest-first --limit 10
            """)

    @Argument(help: "The name of the smart queue.")
    var name: String

    @Option(
        help: ArgumentHelp("Only this podcast: its number, URL, or words of its title.", valueName: "podcast"))
    var podcast: String?

    @Option(help: "Only the podcasts in this group; groups come from an import.")
    var group: String?

    @Flag(help: "Play the newest episodes first.")
    var newestFirst = false

    @Option(parsing: .unconditional, help: ArgumentHelp("The maximum number of episodes.", valueName: "count"))
    var limit = 50

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard podcast == nil || group == nil else { throw ValidationError("Specify --podcast or --group, not both.") }
        guard SmartQueue.limits.contains(limit) else { throw ValidationError("--limit must be 1 to 1000.") }
    }

    func run() async throws {
        let (name, podcast, group, newestFirst, limit, json) = (name, podcast, group, newestFirst, limit, options.json)
        try await LibrarySession.run { library in
            let named = try podcast.map { SmartQueue.Scope.podcast(try library.podcast(named: $0, isPodcast: true).id) }
            let queue = try library.createSmartQueue(
                name, named ?? group.map { .group($0) } ?? .everything, newestFirst: newestFirst, most: limit)
            if json { return try SmartQueueTable([queue], library).json() }
            let count = try library.episodes(of: queue).count
            let episodes = CountText.text(count, "episode")
            return [LibraryRemark.message("Created the smart queue \"\(queue.name)\": \(episodes).")]
        }
    }
}

struct SmartShowCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "show",
        abstract: "List the present episodes of a smart queue.",
        discussion: """
            For example:
              earshot smart show morning
            """)

    @Argument(help: "The name of the smart queue.")
    var name: String

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, json) = (name, options.json)
        try await LibrarySession.run { library in
            let episodes = try library.episodes(of: library.smartQueue(named: name))
            if json { return EpisodeTable.json(episodes) }
            guard !episodes.isEmpty else { return [LibraryRemark.none] }
            return EpisodeTable(.current).plain(episodes)
        }
    }
}

struct SmartDeleteCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete",
        abstract: "Delete a smart queue; its episodes stay.",
        discussion: """
            For example:
              earshot smart delete morning
            """)

    @Argument(help: "The name of the smart queue.")
    var name: String

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, json) = (name, options.json)
        try await LibrarySession.run { library in
            let queue = try library.smartQueue(named: name)
            let table = try SmartQueueTable([queue], library)
            try library.deleteSmartQueue(queue)
            return json ? table.json() : [LibraryRemark.message("Deleted the smart queue \"\(queue.name)\".")]
        }
    }
}
