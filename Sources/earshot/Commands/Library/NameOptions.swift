// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Listening
import TerminalInterface

/// The podcast in which a command looks for its names: the same option in every command that has it.
struct PodcastOption: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "A podcast: its number, address, or words of its title. Names are then its episodes; without names, it is "
                + "the podcast itself.", valueName: "podcast"))
    var podcast: String?

    /// What `names` are, for a command that also takes URLs and files.
    func scope(of names: [String]) -> LibraryTargets.Scope {
        guard let podcast else { return .everything }
        return names.isEmpty ? .podcasts : .episodes(ofPodcast: podcast)
    }

    /// Episodes are chosen from a podcast, and not beside the name of one.
    func check(_ choice: EpisodeChoice, _ names: [String]) throws(ValidationError) {
        guard podcast == nil || names.isEmpty else {
            throw ValidationError("Name an episode of the podcast, or choose one with --episode, not both.")
        }
        guard !targets(names).isEmpty else {
            throw ValidationError("--episode chooses from a podcast: name one.")
        }
    }

    /// The names, or the podcast where there are none.
    func targets(_ names: [String]) -> [String] {
        names.isEmpty ? [podcast].compactMap { $0 } : names
    }

    func find(in library: Library) throws(LibraryError) -> PodcastSummary? {
        guard let podcast else { return nil }
        return try library.podcast(named: podcast, isPodcast: true)
    }
}

/// Episodes as the listener names them.
struct EpisodeNames: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "Episodes or podcasts: the number of an episode, p and the number of a podcast, or words of a title.",
            valueName: "name"))
    var names: [String] = []

    @OptionGroup var podcast: PodcastOption

    func validate() throws {
        guard !names.isEmpty || podcast.podcast != nil else {
            throw ValidationError("Name episodes, or a podcast with --podcast.")
        }
    }
}

/// Episodes that were named, each once, and what names were taken for that were not exact.
struct NamedEpisodes {
    private(set) var episodes: [EpisodeSummary] = []
    private var taken: [ReportText] = []

    init(_ names: [String], in podcast: Int64? = nil, _ library: Library) throws(LibraryError) {
        for name in names { add(name, try library.episodeMatch(name, in: podcast)) }
    }

    init() {}

    /// Where there is one episode, the answer names it.
    var remarks: [ReportText] { episodes.count == 1 ? [] : taken }

    mutating func add(_ name: String, _ match: NameMatch<EpisodeSummary>) {
        append([match.thing])
        if !match.isExact { taken.append(LibraryRemark.matched(name, as: match.thing)) }
    }

    mutating func add(_ name: String, _ match: NameMatch<PodcastSummary>, _ episodes: [EpisodeSummary]) {
        append(episodes)
        if !match.isExact { taken.append(LibraryRemark.matched(name, as: match.thing)) }
    }

    mutating func append(_ more: [EpisodeSummary]) {
        let known = Set(episodes.map(\.id))
        episodes += more.filter { !known.contains($0.id) }
    }
}
