// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Media
import Playback
import Sessions
import TerminalInterface

struct BookmarksCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmarks",
        abstract: "List the bookmarks of an episode in order, or all bookmarks, latest first.",
        discussion: """
            The soundbites that the feed recommends follow the bookmarks of an episode.

            For example:
              earshot bookmarks "rain on the old harbour"
            """)

    @Argument(help: ArgumentHelp("The episode: its number or words of its title.", valueName: "episode"))
    var episode: String?

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, json) = (episode, options.json)
        try await LibrarySession.run { library in
            let named = try NamedEpisodes([name].compactMap { $0 }, library)
            let id = named.episodes.first?.id
            let bookmarks = try library.bookmarks(of: id)
            let soundbites = try id.map { id throws(LibraryError) in try library.notes(of: id).soundbites } ?? []
            if json { return BookmarkTable.json(bookmarks, soundbites: soundbites, of: id) }
            let episodes = id == nil ? try library.episodes(numbered: Set(bookmarks.map(\.episode)).sorted()) : []
            let names = Dictionary(uniqueKeysWithValues: episodes.map { ($0.id, $0.name) })
            return BookmarkTable.plain(bookmarks, soundbites: soundbites, names: names, .current)
        }
    }
}

struct BookmarkCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bookmark",
        abstract: "Add a bookmark to an episode, or remove one.",
        usage: """
            earshot bookmark EPISODE TIME [TITLE...]
            earshot bookmark --remove NUMBER
            """,
        discussion: """
            For example:
              earshot bookmark "rain on the old harbour" 12:30 the song
            """)

    @Argument(help: ArgumentHelp("The episode: its number or words of its title.", valueName: "episode"))
    var episode: String?

    @Argument(help: "The time: 12:30, 1:02:03, 750 or 25%.", transform: { try TimeTarget(parsing: $0) })
    var time: TimeTarget?

    @Argument(help: "The title of the bookmark.")
    var title: [String] = []

    @Option(parsing: .unconditional, help: ArgumentHelp("Remove the bookmark with this number.", valueName: "number"))
    var remove: Int64?

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        let isAdding = episode != nil && time != nil
        guard isAdding != (remove != nil), remove == nil || episode == nil else {
            throw ValidationError("Specify an episode and a time, or --remove and the number of a bookmark.")
        }
    }

    func run() async throws {
        let json = options.json
        if let remove {
            return try await LibrarySession.run { library in
                try library.removeBookmark(remove)
                return json ? [] : [LibraryRemark.message("Removed bookmark \(remove).")]
            }
        }
        guard let episode, let time else { return }
        let title = title.joined(separator: " ")
        try await LibrarySession.run { library in
            try Self.add(library, episode, time, title.allSatisfy(\.isWhitespace) ? nil : title, json)
        }
    }

    private static func add(
        _ library: Library, _ name: String, _ time: TimeTarget, _ title: String?, _ json: Bool
    ) throws -> [ReportText] {
        let episode = try library.episode(named: name)
        let played = try library.position(of: episode.id)
        let version = played?.version
        let position = try position(time, in: episode, played?.duration)
        if let length = played?.duration, position > length {
            let fact = "\(ClockText.time(position)) is beyond the end (\(ClockText.time(length)))"
            throw LibraryError(.missing, "\(fact) of \"\(episode.name)\"")
        }
        let same = try library.bookmarks(of: episode.id).first { $0.position == position && $0.title == title }
        if let same {
            let reason = "already has this bookmark: bookmark \(same.id)"
            throw NothingChanged([LibraryRemark.unchanged(episode, reason)])
        }
        let number = try library.addBookmark(episode.id, at: position, version: version, title: title)
        let bookmarks = try library.bookmarks(of: episode.id).filter { $0.id == number }
        if json { return BookmarkTable.json(bookmarks) }
        let name = title.map { " \"\($0)\"" } ?? ""
        return [LibraryRemark.done("Added bookmark \(number)\(name) at \(ClockText.time(position))", [episode])]
    }

    /// - Parameter duration: that of the file. The feed's is often wrong.
    private static func position(
        _ time: TimeTarget, in episode: EpisodeSummary, _ duration: Duration?
    ) throws(LibraryError) -> Duration {
        switch time {
        case .time(let time), .estimated(let time, _): return time
        case .fraction(let part):
            guard let duration else {
                let fact = "the duration of \"\(episode.name)\" is unknown until it has been played"
                throw LibraryError(.invalid, fact + "; give a time instead")
            }
            return duration * part
        }
    }
}
