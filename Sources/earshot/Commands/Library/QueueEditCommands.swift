// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import TerminalInterface

struct QueueMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Moves an episode to another place of the queue.",
        discussion: """
            For example:
              earshot queue move 12 1
            """)

    @Argument(help: ArgumentHelp("The episode: its number, GUID, or words of its title.", valueName: "episode"))
    var episode: String

    @Argument(help: ArgumentHelp("Where it is to stand; the first place is 1.", valueName: "place"))
    var place: Int

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard place >= 1 else { throw ValidationError("The first place is 1.") }
    }

    func run() async throws {
        let (name, place, json) = (episode, place, options.json)
        try await LibrarySession.run { library in
            let episode = try library.episode(named: name)
            try library.moveInQueue(episode.id, to: place - 1)
            return try QueueCommand.answer(library, json, LibraryRemark.done("Moved", [episode]))
        }
    }
}

struct QueueRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Takes episodes out of the queue.",
        discussion: """
            For example:
              earshot queue remove 12 13
            """)

    @OptionGroup var names: EpisodeNames
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (names, json) = (names.episodes, options.json)
        try await LibrarySession.run { library in
            let episodes = try library.episodes(named: names)
            try library.dequeue(episodes.map(\.id))
            let gone = episodes.filter(\.isQueued)
            return try QueueCommand.answer(library, json, LibraryRemark.done("Out of the queue", gone))
        }
    }
}

struct QueueClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Empties the queue.",
        discussion: """
            For example:
              earshot queue clear
            """)

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let json = options.json
        try await LibrarySession.run { library in
            let queue = try library.queue()
            try library.clearQueue()
            return try QueueCommand.answer(library, json, LibraryRemark.done("Out of the queue", queue))
        }
    }
}

struct QueueShuffleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shuffle",
        abstract: "Puts the queue into an order of chance.",
        discussion: """
            For example:
              earshot queue shuffle --seed 7
            """)

    @Option(parsing: .unconditional, help: ArgumentHelp("The same number gives the same order.", valueName: "number"))
    var seed: UInt64?

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (seed, json) = (seed, options.json)
        try await LibrarySession.run { library in
            var generator = ShuffleOrder(seed: seed ?? UInt64.random(in: 0 ... .max))
            try library.shuffleQueue(using: &generator)
            return try QueueCommand.answer(library, json, LibraryRemark.said("The queue is shuffled."))
        }
    }
}
