// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import EpisodeLibrary
import EpisodeSources
import Media
import Playback
import TerminalInterface

/// What a listener wants to hear: targets, or a list of the library.
struct PlayRequest: Sendable {
    /// The place on the playlist.
    enum Place: String, Sendable {
        /// Immediately; the current item follows from its place.
        case now
        /// After the current item.
        case next
        case end
    }

    /// URLs, paths and names in the library, in playing order; if empty, `list`.
    var targets: [String] = []
    var list = LibraryTargets.List.queue
    var scope = LibraryTargets.Scope.everything
    var episode: EpisodeChoice?
    /// The indices of the targets that an earlier player has resolved: `scope` and `episode` do not apply to them.
    var resolved: Set<Int> = []
    /// The start in the first item.
    var from: StartTarget?
    /// The end in the last item.
    var until: TimeTarget?
    /// The ends in the items of targets, by the indices of the targets: a list may follow such an item.
    var ends: [Int: TimeTarget] = [:]
    /// Where the first item is to continue, unless the library has a position in it.
    var lastPosition: TimeTarget?
    var place = Place.now
    /// The list to play after the targets.
    var nextList: LibraryTargets.List?
    /// Episodes that an earlier player has played or skipped: the list does not add them again.
    var passed: Set<Int64> = []

    /// Returns the end in the last item of a target.
    func end(inTarget index: Int) -> TimeTarget? { ends[index] ?? (index == targets.count - 1 ? until : nil) }

    func scope(ofTarget index: Int) -> LibraryTargets.Scope { resolved.contains(index) ? .everything : scope }

    func episode(ofTarget index: Int) -> EpisodeChoice? { resolved.contains(index) ? nil : episode }

    /// True for the request to continue.
    var isResumption: Bool { targets.isEmpty && list == .queue && from == nil && until == nil }
}

extension PlayRequest {
    init(_ options: PlayOptions) {
        (targets, list, scope) = (options.targets, options.list, options.scope)
        (episode, from, until) = (options.episode, options.from, options.until)
    }

    /// Creates the request of a client.
    init(_ parameters: ControlParameters) throws(ControlError) {
        targets = parameters.texts("targets") ?? []
        guard targets.allSatisfy({ !$0.isEmpty }) else {
            throw .invalidParameters("\"targets\" contains an empty text")
        }
        if let name = parameters.text("smart") {
            guard targets.isEmpty else { throw .invalidParameters("specify \"targets\" or \"smart\", not both") }
            list = .smartQueue(named: name)
        }
        if let podcast = parameters.text("podcast") {
            scope = targets.isEmpty ? .podcasts : .episodes(ofPodcast: podcast)
            if targets.isEmpty { targets = [podcast] }
        }
        do throws(ArgumentError) {
            episode = try parameters.text("episode").map { text throws(ArgumentError) in
                try EpisodeChoice(parsing: text)
            }
            from = try parameters.text("from").map { text throws(ArgumentError) in try StartTarget(parsing: text) }
            until = try parameters.text("until").map { text throws(ArgumentError) in try TimeTarget(parsing: text) }
        } catch {
            throw .invalidParameters(error.description)
        }
        if let anchor = parameters.text("anchor") { from = try Self.start(from, countedFrom: anchor) }
        guard until == nil || list == .queue else {
            throw .invalidParameters("\"until\" requires a last item: episodes enter a smart queue while it plays")
        }
        place = parameters.text("place").flatMap(Place.init) ?? .now
        nextList = parameters.bool("queue") == true ? .queue : nil
        guard !targets.isEmpty || episode == nil else {
            throw .invalidParameters("\"episode\" requires \"targets\" or \"podcast\"")
        }
    }

    /// Returns the start at an estimated time.
    /// - Parameter text: the packet from which the time counts.
    private static func start(_ start: StartTarget?, countedFrom text: String) throws(ControlError) -> StartTarget {
        guard case .time(.time(let time))? = start else {
            throw .invalidParameters("\"anchor\" requires a time in \"from\"")
        }
        guard let anchor = TimeAnchor(text: text) else {
            throw .invalidParameters("invalid packet \"\(text)\": write its offset, its time and the file's length")
        }
        return .time(.estimated(time, from: anchor))
    }
}
