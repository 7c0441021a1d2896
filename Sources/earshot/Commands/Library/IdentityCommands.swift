// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import EpisodeSources
import Media
import Sessions
import TerminalInterface

struct MergeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "merge",
        abstract: "Merge a duplicate episode into another one.",
        discussion: """
            The second episode receives the position, the bookmarks and the queue position of the first. If both are \
            downloaded, one file moves to the trash.

            For example:
              earshot merge 12 13
            """)

    @Argument(help: ArgumentHelp("The duplicate.", valueName: "episode"))
    var episode: String

    @Argument(help: ArgumentHelp("The episode to keep.", valueName: "into"))
    var into: String

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (from, into, json) = (episode, into, options.json)
        try await LibrarySession.run { library in
            let (gone, kept) = (try library.episode(named: from), try library.episode(named: into))
            let downloads = LibraryDownloads(library, in: CompositionRoot.keepFolders(nil))
            let trashed = try downloads.merge(gone.id, into: kept.id)
            let episode = try library.episode(kept.id)
            if json { return EpisodeTable.json([episode]) }
            return LibraryRemark.merged(gone, into: episode, trashed: trashed)
        }
    }
}

struct SplitCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "split",
        abstract: "Split an episode that was merged by mistake.",
        discussion: """
            The episode loses the identifiers of the merged one; the next refresh adds that one again.

            For example:
              earshot split 12
            """)

    @Argument(help: ArgumentHelp("The episode: its number or words of its title.", valueName: "episode"))
    var episode: String

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, json) = (episode, options.json)
        try await LibrarySession.run { library in
            let episode = try library.episode(named: name)
            let count = try library.split(episode.id)
            guard count > 0 else {
                throw NothingChanged([LibraryRemark.unchanged(episode, "has no identifiers of another episode")])
            }
            if json { return EpisodeTable.json([episode]) }
            let names = CountText.text(count, "identifier")
            return [LibraryRemark.message("Split \"\(episode.name)\": removed \(names).")]
        }
    }
}

struct WhyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "why",
        abstract: "Explain why an episode is shown, played, queued or downloaded, or not.",
        discussion: """
            For example:
              earshot why "rain on the old harbour"
            """)

    @Argument(help: ArgumentHelp("The episode: its number or words of its title.", valueName: "episode"))
    var episode: String

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, json) = (episode, options.json)
        try await LibrarySession.run { library in
            let record = try library.record(of: try library.episode(named: name).id)
            let rules = LibraryRules(library, LibraryDownloads(library, in: CompositionRoot.keepFolders(nil)))
            let story = try EpisodeExplanation(record, in: library, rules)
            return json ? story.json() : story.plain()
        }
    }
}
