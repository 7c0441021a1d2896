// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Media
import Sessions
import TerminalInterface

/// A position in the queue: `#1`. A plain number is an episode's.
enum QueuePlace {
    static func number(_ text: String) throws -> Int {
        guard let place = Int(text.hasPrefix("#") ? text.dropFirst() : text[...]), place >= 1 else {
            throw ArgumentError("invalid position \"\(text)\": the first position is 1")
        }
        return place
    }

    /// Returns the episode at a position; `nil` if the text is not a position.
    /// - Throws: `missing` if the queue is shorter.
    static func episode(_ text: String, _ queue: [EpisodeSummary]) throws(LibraryError) -> EpisodeSummary? {
        guard text.hasPrefix("#"), text.dropFirst().allSatisfy(\.isNumber), let place = Int(text.dropFirst()) else {
            return nil
        }
        guard queue.indices.contains(place - 1) else {
            let count = CountText.text(queue.count, "episode")
            throw LibraryError(.missing, "the queue has no position \(text): it has \(count)")
        }
        return queue[place - 1]
    }
}

struct QueueMoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move",
        abstract: "Move an episode within the queue.",
        discussion: """
            For example:
              earshot queue move 12 1
            """)

    @Argument(help: ArgumentHelp("The episode: its number or words of its title.", valueName: "episode"))
    var episode: String

    @Argument(
        help: ArgumentHelp("The new position; 1 (or #1) is the first.", valueName: "position"),
        transform: { try QueuePlace.number($0) })
    var place: Int

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, place, json) = (episode, place, options.json)
        try await LibrarySession.run { library in
            let all = try library.queue()
            let (episode, queue) = (try QueuePlace.episode(name, all) ?? library.episode(named: name), all.map(\.id))
            guard let old = queue.firstIndex(of: episode.id) else { throw NothingChanged(notQueued: [episode]) }
            guard old != min(place, queue.count) - 1 else {
                throw NothingChanged([LibraryRemark.unchanged(episode, "is already at position \(old + 1)")])
            }
            try library.moveInQueue(episode.id, to: place - 1)
            return try QueueCommand.answer(library, json, [LibraryRemark.done("Moved", [episode])])
        }
    }
}

extension NothingChanged {
    fileprivate init(notQueued episodes: [EpisodeSummary]) {
        self.init(episodes.map { LibraryRemark.unchanged($0, "is not in the queue") })
    }
}

struct QueueRemoveCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove",
        abstract: "Remove episodes from the queue.",
        discussion: """
            A plain number is an episode number. Write a position in the queue as "#1", in quotes.

            For example:
              earshot queue remove 12 13
            """)

    @OptionGroup var names: EpisodeNames
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (names, json) = (names, options.json)
        try await LibrarySession.run { library in
            let named = try Self.episodes(names, library)
            let gone = named.episodes.filter(\.isQueued)
            let other = NothingChanged(notQueued: named.episodes.filter { !$0.isQueued })
            guard !gone.isEmpty else { throw other }
            try library.dequeue(gone.map(\.id))
            let done = LibraryRemark.done("Removed from the queue", gone)
            return try QueueCommand.answer(library, json, named.remarks + [done] + other.remarks)
        }
    }

    private static func episodes(_ names: EpisodeNames, _ library: Library) throws -> NamedEpisodes {
        let podcast = try names.podcast.find(in: library)
        let queue = try library.queue()
        var named = NamedEpisodes()
        guard let podcast, names.names.isEmpty else {
            for name in names.names {
                if let placed = try QueuePlace.episode(name, queue) {
                    named.append([placed])
                } else {
                    named.add(name, try library.episodeMatch(name, in: podcast?.id))
                }
            }
            return named
        }
        named.append(queue.filter { $0.podcast == podcast.id })
        guard !named.episodes.isEmpty else {
            throw NothingChanged([LibraryRemark.message("No episode of \"\(podcast.name)\" is in the queue.")])
        }
        return named
    }
}

struct QueueClearCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "clear",
        abstract: "Remove all episodes from the queue.",
        discussion: """
            For example:
              earshot queue clear
            """)

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let json = options.json
        try await LibrarySession.run { library in
            let queue = try library.queue()
            guard !queue.isEmpty else { throw NothingChanged([LibraryRemark.message("The queue is empty.")]) }
            try library.clearQueue()
            return try QueueCommand.answer(library, json, [LibraryRemark.done("Removed from the queue", queue)])
        }
    }
}

struct QueueShuffleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "shuffle",
        abstract: "Shuffle the queue.",
        discussion: """
            For example:
              earshot queue shuffle --seed 7
            """)

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("The random seed; the same seed gives the same order.", valueName: "number"))
    var seed: UInt64?

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (seed, json) = (seed, options.json)
        try await LibrarySession.run { library in
            let count = try library.queue().count
            guard count > 1 else {
                throw NothingChanged(
                    count == 1 ? "The queue has only one episode: nothing to shuffle." : "The queue is empty.")
            }
            guard try Self.shuffle(library, seed) else {
                throw NothingChanged("This seed does not change the order: use another one.")
            }
            return try QueueCommand.answer(library, json, [LibraryRemark.message("Shuffled the queue.")])
        }
    }

    /// - Parameter seed: the seed of the order; `nil` for any other order.
    /// - Returns: false if the order did not change.
    private static func shuffle(_ library: Library, _ seed: UInt64?) throws -> Bool {
        var generator = ShuffleOrder(seed: seed ?? UInt64.random(in: 0 ... .max))
        // Of two episodes, every second order is the present one.
        for _ in 0..<(seed == nil ? 64 : 1) where try library.shuffleQueue(using: &generator) { return true }
        return false
    }
}
