// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media
public import Playback

/// The decision which positions are written, when, and how durably. Pure: it converts the player's states and events
/// to entries to write.
///
/// During playback it writes at every other one of five ticks a second, so that a kill loses less than a second.
/// Every 15 seconds, and after each action of the listener, it writes durably, so that the position survives a power
/// failure.
public struct PositionLog: Sendable {
    /// An entry to write to the library.
    public enum Entry: Sendable, Equatable {
        /// Playback of the episode started: its file is kept.
        case begin(episode: Int64)
        case save(episode: Int64, PlaybackPosition, Library.Durability)
        /// The episode was played to its end.
        case finish(episode: Int64, heard: Range<Duration>?)
        /// The download progress of the episode's file.
        case download(episode: Int64, DownloadProgress)
        /// The episode was heard on a day.
        case listened(episode: Int64, ListeningDay, ListeningTime)

        public var episode: Int64 {
            switch self {
            case .begin(let episode), .save(let episode, _, _), .finish(let episode, _), .download(let episode, _),
                .listened(let episode, _, _):
                episode
            }
        }
    }

    private static let tickInterval = Duration.milliseconds(350)
    private static let durableInterval = Duration.seconds(15)
    /// The largest step between two ticks that counts as playback; a larger one is a seek.
    private static let longestLook = Duration.seconds(3)

    private var episodes: [PlaybackItem.ID: Int64] = [:]
    private var current: Current?
    /// The item that was played to its end; a status that still shows it is ignored.
    private var ended: PlaybackItem.ID?
    /// The times that were written, by item.
    private var listened: [PlaybackItem.ID: ListeningTime] = [:]
    private var faded = FadedEntries()

    private struct Current {
        let item: PlaybackItem
        let episode: Int64
        var position: Duration
        /// The packet from which an estimated position counts.
        var anchor: TimeAnchor?
        /// The start of the continuous playback that is not written yet.
        var heardFrom: Duration
        /// The duration of the playback written since the item started.
        var totalPlayed = Duration.zero
        var saved: Duration?
        var savedAt: Duration
        var durableAt: Duration
        var downloadProgress: DownloadProgress?
        /// The last duration that was not an estimate: at an end that nothing confirms, perhaps that of a part.
        var duration: Duration?
        /// The duration of the whole file; `nil` while unknown.
        var fileDuration: Duration?

        init(item: PlaybackItem, episode: Int64, position: Duration, at now: Duration) {
            (self.item, self.episode, self.position, heardFrom) = (item, episode, position, position)
            (savedAt, durableAt) = (now, now)
        }

        mutating func note(_ status: PlayerStatus) {
            (downloadProgress, anchor) = (status.downloadProgress, status.anchor)
            let isEndConfirmed = downloadProgress?.unverified == nil
            switch status.duration {
            case .exact(let length):
                duration = length
                if isEndConfirmed { fileDuration = length }
            case .declared(let length):
                duration = length
                // At an end that nothing confirms, WAV declares no more than the received part.
                if isEndConfirmed || fileDuration == nil { fileDuration = length }
            case .estimated, .unknown: break
            }
        }
    }

    public init() {}

    /// Registers a playlist item as an episode of the library.
    public mutating func register(_ item: PlaybackItem.ID, as episode: Int64) { episodes[item] = episode }

    /// Returns the episode of a playlist item.
    public func episode(of item: PlaybackItem.ID) -> Int64? { episodes[item] }

    /// Returns the entries that are due during playback.
    /// - Parameter now: the time of a monotonic clock.
    public mutating func tick(_ status: PlayerStatus, at now: Duration) -> [Entry] {
        settle(due(status, at: now), status)
    }

    private mutating func due(_ status: PlayerStatus, at now: Duration) -> [Entry] {
        let moved = moveToTarget(status, at: now)
        guard moved.isEmpty else { return moved }
        guard observe(status, at: now), let current, current.position != current.saved else { return [] }
        if now - current.durableAt >= Self.durableInterval { return write(.act, at: now) }
        return now - current.savedAt >= Self.tickInterval ? write(.tick, at: now) : []
    }

    /// Returns the entries that an event of the player causes.
    public mutating func note(_ event: PlayerEvent, _ status: PlayerStatus, at now: Duration) -> [Entry] {
        settle(entries(for: event, status, at: now), status)
    }

    private mutating func entries(for event: PlayerEvent, _ status: PlayerStatus, at now: Duration) -> [Entry] {
        switch event {
        case .itemStarted(let item):
            let last = current.map { $0.item.id != item.id } ?? false ? write(.act, at: now) : []
            // The end stored the beginning, and a repeated item may start elsewhere.
            let repeats = ended == item.id
            current = nil
            ended = nil
            _ = observe(status, at: now)
            let begin = episodes[item.id].map { [Entry.begin(episode: $0)] } ?? []
            return last + begin + (repeats ? write(.tick, at: now) : [])
        case .itemEnded(let item): return end(item, at: now)
        case .seekLanded(let item, let position, _, _):
            let entries = write(.tick, at: now)
            // The seek may lead back into an item that had ended.
            ended = nil
            current?.position = position
            current?.heardFrom = position
            current?.anchor = status.item?.id == item.id ? status.anchor : nil
            return entries + write(.act, at: now)
        case .activityChanged(.paused), .connectionLost, .outputInterrupted, .pausedByItself, .itemFailed:
            _ = observe(status, at: now)
            return write(.act, at: now) + moveToTarget(status, at: now)
        case .sleepTimerEnded: return returnFromFade(status, at: now)
        default: return []
        }
    }

    /// Returns the final entries; playback has stopped.
    public mutating func close(_ status: PlayerStatus, at now: Duration) -> [Entry] {
        let returned = returnFromFade(status, at: now)
        _ = observe(status, at: now)
        defer { current = nil }
        let moved = moveToTarget(status, at: now, isClosing: true)
        let last = settle(moved.isEmpty ? write(.act, at: now) : moved, status)
        return returned + faded.end() + last
    }

    /// Follows the sleep timer to the place where its fade began.
    private mutating func returnFromFade(_ status: PlayerStatus, at now: Duration) -> [Entry] {
        guard faded.handleReturn(status) else { return [] }
        if current?.item.id != status.item?.id { current = nil }
        ended = nil
        return moveToTarget(status, at: now)
    }

    private mutating func settle(_ entries: [Entry], _ status: PlayerStatus) -> [Entry] {
        faded.settle(entries, status) { [episodes] in episodes[$0] }
    }

    /// Returns the entries for the time that the items were heard since the last call.
    /// - Parameters:
    ///   - heard: the times since the player started.
    ///   - day: the day of the listener.
    public mutating func listen(_ heard: [PlaybackItem.ID: HeardTime], on day: ListeningDay) -> [Entry] {
        var entries: [Entry] = []
        for (item, time) in heard.sorted(by: { $0.key < $1.key }) {
            // The sums are rounded, not their parts, so that errors do not add up.
            let total = ListeningTime(time)
            guard let episode = episodes[item], total != listened[item, default: ListeningTime()] else { continue }
            entries.append(.listened(episode: episode, day, total - listened[item, default: ListeningTime()]))
            listened[item] = total
        }
        return entries
    }

    // MARK: Observing the player

    /// Moves to the target of a seek before it is played, if playback is paused or ends: the listener continues there.
    /// - Returns: the entries for the sound heard before the seek, and for its target; none without such a seek, or if
    ///   its target is a part of an estimated duration or may lie beyond the end.
    private mutating func moveToTarget(
        _ status: PlayerStatus, at now: Duration, isClosing: Bool = false
    ) -> [Entry] {
        let isPaused = if case .paused = status.activity { true } else { false }
        guard status.isSeeking, isPaused || isClosing, let item = status.item, item.id != ended,
            let episode = episodes[item.id], let target = status.position,
            !status.positionIsEstimated || status.anchor != nil,
            status.duration.value.map({ target < $0 }) ?? false
        else { return [] }
        let isCurrent = current?.item.id == item.id
        guard !isCurrent || current?.position != target else { return [] }
        let heard = isCurrent ? write(.tick, at: now) : []
        if !isCurrent { current = Current(item: item, episode: episode, position: target, at: now) }
        current?.position = target
        current?.heardFrom = target
        current?.note(status)
        return heard + write(.act, at: now)
    }

    /// - Returns: true if an episode of the library is playing.
    private mutating func observe(_ status: PlayerStatus, at now: Duration) -> Bool {
        guard let item = status.item, item.id != ended, let episode = episodes[item.id], let position = status.position
        else { return false }
        // The target of a running seek has not been played, and it may lie past the end.
        guard !status.isSeeking else { return current?.item.id == item.id }
        if current?.item.id != item.id {
            current = Current(item: item, episode: episode, position: position, at: now)
        }
        guard var look = current else { return false }
        let step = position - look.position
        if step < .zero || step > Self.longestLook { look.heardFrom = position }
        look.position = position
        look.note(status)
        current = look
        return true
    }

    private mutating func write(_ durability: Library.Durability, at now: Duration) -> [Entry] {
        guard var look = current else { return [] }
        let heard = look.heardFrom < look.position ? look.heardFrom..<look.position : nil
        if let heard { look.totalPlayed += heard.upperBound - heard.lowerBound }
        let position = PlaybackPosition(
            position: look.position, from: look.anchor, duration: look.fileDuration,
            version: look.downloadProgress.flatMap { $0.unverified == nil ? $0.total : nil }.map(AudioVersion.name),
            heard: heard, heardInAll: look.totalPlayed)
        look.heardFrom = look.position
        look.saved = look.position
        look.savedAt = now
        if durability == .act { look.durableAt = now }
        current = look
        let held =
            durability == .act ? look.downloadProgress.map { [Entry.download(episode: look.episode, $0)] } ?? [] : []
        return [.save(episode: look.episode, position, durability)] + held
    }

    private mutating func end(_ item: PlaybackItem, at now: Duration) -> [Entry] {
        guard let episode = episodes[item.id] else { return [] }
        let look = current?.item.id == item.id ? current : nil
        if let stop = Self.stop(of: item, look) { return leave(item, of: episode, at: stop, now) }
        if look != nil { current = nil }
        ended = item.id
        let held = look?.downloadProgress.map { [Entry.download(episode: episode, $0)] } ?? []
        let heard = look.flatMap { look -> Range<Duration>? in
            // A skipped end was not heard.
            let end = item.skippedEnd == nil ? look.duration ?? look.position : look.position
            return look.heardFrom < end ? look.heardFrom..<end : nil
        }
        return [.finish(episode: episode, heard: heard)] + held
    }

    /// Returns the stop time that the listener chose; `nil` if the item ended at its own end.
    private static func stop(of item: PlaybackItem, _ look: Current?) -> Duration? {
        let stop: Duration? =
            switch item.end {
            case .time(let time), .estimated(let time, _): time
            case .fraction(let part): look.map { ($0.duration ?? $0.position) * part }
            case nil: nil
            }
        guard let stop, let length = look?.duration else { return stop }
        return stop < length ? stop : nil
    }

    private mutating func leave(
        _ item: PlaybackItem, of episode: Int64, at position: Duration, _ now: Duration
    ) -> [Entry] {
        if current?.item.id != item.id {
            current = Current(item: item, episode: episode, position: position, at: now)
        }
        current?.position = position
        ended = item.id
        defer { current = nil }
        return write(.act, at: now)
    }
}

extension ListeningTime {
    fileprivate init(_ time: HeardTime) {
        self.init(heard: time.source, wall: time.played, trimmed: time.trimmed)
    }
}
