// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import TerminalInterface

struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Makes two episodes one that their podcast has twice.",
        discussion: """
            What was done with the first (heard, queued, bookmarked) is done with the second.

            For example:
              earshot merge 12 13
            """)

    @Argument(help: ArgumentHelp("The one that goes.", valueName: "episode"))
    var episode: String

    @Argument(help: ArgumentHelp("The one that stays.", valueName: "into"))
    var into: String

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (from, into, json) = (episode, into, options.json)
        try await LibrarySession.run { library in
            let (gone, kept) = (try library.episode(named: from), try library.episode(named: into))
            try library.merge(gone.id, into: kept.id)
            let episode = try library.episode(kept.id)
            if json { return EpisodeTable.json([episode]) }
            return [LibraryRemark.said("\(gone.id) and \(kept.id) are one now: \(episode.name).")]
        }
    }
}

struct SplitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Takes an episode apart that was taken for another one.",
        discussion: """
            It forgets what it was known by earlier; the next refresh makes the other one anew.

            For example:
              earshot split 12
            """)

    @Argument(help: ArgumentHelp("The episode: its number, GUID, or words of its title.", valueName: "episode"))
    var episode: String

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, json) = (episode, options.json)
        try await LibrarySession.run { library in
            let episode = try library.episode(named: name)
            let count = try library.split(episode.id)
            if json { return EpisodeTable.json([episode]) }
            let names = count == 1 ? "1 earlier name" : "\(count) earlier names"
            let remark = count == 0 ? "has no earlier name: nothing is to be split" : "has given up \(names)"
            return [LibraryRemark.said("\(episode.name) \(remark).")]
        }
    }
}

struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Says why an episode is shown, known, played, queued and kept as it is.",
        discussion: """
            For example:
              earshot why "rain on the old harbour"
            """)

    @Argument(help: ArgumentHelp("The episode: its number, GUID, or words of its title.", valueName: "episode"))
    var episode: String

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, json) = (episode, options.json)
        try await LibrarySession.run { library in
            let story = try EpisodeStory(try library.record(of: try library.episode(named: name).id), in: library)
            return json ? story.json() : story.plain()
        }
    }
}
