// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import EpisodeSources
import TerminalInterface

/// The option `--podcast`, shared by all commands that have it.
struct PodcastOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A podcast: its number, URL, or words of its title. With it, names are searched only in this podcast; "
                + "without names, the command applies to the whole podcast.", valueName: "podcast"))
    var podcast: String?

    /// Returns the scope of `names`, for a command that also accepts URLs and files.
    func scope(of names: [String]) -> LibraryTargets.Scope {
        guard let podcast else { return .everything }
        return names.isEmpty ? .podcasts : .episodes(ofPodcast: podcast)
    }

    /// Checks that `--episode` is combined with a podcast and not with the name of an episode.
    func check(_ choice: EpisodeChoice, _ names: [String]) throws(ValidationError) {
        guard podcast == nil || names.isEmpty else {
            throw ValidationError("Name an episode of the podcast or use --episode, not both.")
        }
        guard !targets(names).isEmpty else {
            throw ValidationError("--episode requires the name of a podcast.")
        }
    }

    /// Returns the names, or the podcast if there are none.
    func targets(_ names: [String]) -> [String] {
        names.isEmpty ? [podcast].compactMap { $0 } : names
    }

    func find(in library: Library) throws(LibraryError) -> PodcastSummary? {
        guard let podcast else { return nil }
        return try library.podcast(named: podcast, isPodcast: true)
    }
}

/// The names of episodes as arguments.
struct EpisodeNames: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Episodes: an episode number (12) or words of a title.", valueName: "name"))
    var names: [String] = []

    @OptionGroup var podcast: PodcastOption

    func validate() throws {
        guard !names.isEmpty || podcast.podcast != nil else {
            throw ValidationError("Specify episodes, or a podcast with --podcast.")
        }
    }
}

/// The named episodes without duplicates, and remarks about inexact names.
struct NamedEpisodes {
    private(set) var episodes: [EpisodeSummary] = []
    private var taken: [ReportText] = []

    init(_ names: [String], in podcast: Int64? = nil, _ library: Library) throws(LibraryError) {
        for name in names { add(name, try library.episodeMatch(name, in: podcast)) }
    }

    init() {}

    /// The remarks; none for a single episode, because the result names it.
    var remarks: [ReportText] { episodes.count == 1 ? [] : taken }

    mutating func add(_ name: String, _ match: NameMatch<EpisodeSummary>) {
        append([match.object])
        if let thing = match.taken { taken.append(LibraryRemark.matched(name, as: thing)) }
    }

    mutating func add(_ name: String, _ match: NameMatch<PodcastSummary>, _ episodes: [EpisodeSummary]) {
        append(episodes)
        if let thing = match.taken { taken.append(LibraryRemark.matched(name, as: thing)) }
    }

    mutating func append(_ more: [EpisodeSummary]) {
        let known = Set(episodes.map(\.id))
        episodes += more.filter { !known.contains($0.id) }
    }
}
