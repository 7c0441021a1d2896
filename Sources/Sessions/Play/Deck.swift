// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import ControlProtocol
import EpisodeSources
import Playback
import Subscriptions
import TerminalInterface

/// A player with all that feeds it, from its first request until it has stopped.
struct Deck {
    let player: Player
    let options: PlayOptions
    /// The request that it began with.
    let request: PlayRequest
    private let parts: SessionParts
    private let memory: SoundMemory
    private let events: SessionEventSources
    private let feeder: PlaylistFeeder
    private let transcripts: PlayedTranscripts
    private var session: PlaySession
    /// The output to remember when something sounds on it.
    private var silentOutput: OutputOption?
    /// The last storing of choices during playback. Its value has the choices that could not be stored.
    private var storing: Task<RememberedSound, Never>?

    /// Creates a player and starts to fill its playlist.
    /// - Parameters:
    ///   - ticket: the request of a client, which gets an answer when the items are on the playlist.
    ///   - silentOutput: the output that the listener chose, to remember when something sounds on it; `nil` if it was
    ///     not chosen or has sounded before.
    ///   - isPaused: true to begin without sound.
    ///   - awaitsOutput: false to answer the client before the output is prepared, because another one may replace it.
    ///   - send: gets the events, which the caller passes to `handle`; after `playerStopped` it calls `close`.
    init(
        _ options: PlayOptions, _ request: PlayRequest, _ ticket: ReplyTicket?, _ parts: SessionParts,
        _ memory: SoundMemory, _ numbers: ItemNumbers, _ control: SessionControl?, silentOutput: OutputOption?,
        isPaused: Bool = false, awaitsOutput: Bool = true, send: AsyncStream<SessionEvent>.Continuation
    ) {
        (self.options, self.request, self.parts, self.memory) = (options, request, parts, memory)
        self.silentOutput = silentOutput
        player = Player(
            sink: CompositionRoot.sink(for: options.output, logger: parts.logger),
            options: .init(
                outputChannels: CompositionRoot.channels(of: options.output),
                outputRate: CompositionRoot.rate(of: options.output), volume: options.volume ?? 1,
                repeatMode: options.repeatMode ?? .off, chimes: Chimes(), isPaused: isPaused),
            logger: parts.logger, commandExecuted: { send.yield(.statusChanged) })
        if options.sound != SoundChanges() { player.send(.changeSound(options.sound)) }
        if let sleep = options.sleep { player.send(.setSleep(sleep)) }
        transcripts = PlayedTranscripts(parts, isShown: options.shown == .transcript, send: send)
        events = SessionEventSources(send: send)
        feeder = PlaylistFeeder(
            .init(
                player: player, sources: parts.sources, send: send, transcripts: transcripts,
                numbers: numbers.present()), parts)
        session = PlaySession(options, player, feeder, parts, transcripts, control, send: send)
        events.follow(player)
        feeder.start(request, ticket, awaitsOutput: awaitsOutput)
    }

    mutating func handle(_ event: SessionEvent) async {
        await session.handle(event)
        if case .player(.itemStarted) = event, let output = silentOutput.take() {
            store(RememberedSound(output: output))
        }
        if let volume = session.settledVolume() { store(RememberedSound(volume: volume)) }
    }

    /// Stores what the listener chose, after earlier choices. The events of the session do not wait for the disk.
    private mutating func store(_ new: RememberedSound) {
        storing = Task { [memory, options, storing] in
            let choices = new.completed(by: await storing?.value)
            return await memory.store(choices, on: options.output).isEmpty ? RememberedSound() : choices
        }
    }

    /// Stores what the listener chose and is not stored yet.
    private mutating func storeChoices() async {
        let failed = await storing?.value
        let change = RememberedSound(volume: session.volumeChanges.close(player.status.volume))
        StandardStreams.write(await memory.store(change.completed(by: failed), on: options.output))
    }

    /// Stores positions and what the listener changed, and ends everything but the player, which has stopped.
    /// - Parameter activity: the activity to show until another player has the item; `nil` if none follows.
    mutating func close(awaiting activity: PlayerStatus.Activity? = nil) async -> ExitStatus {
        let deadline = ContinuousClock.now + .seconds(1)
        let status = await session.finish(awaiting: activity)
        feeder.stop()
        events.stop()
        await storeChoices()
        await parts.sources.recordDownloads(atMost: max(.milliseconds(100), deadline - .now))
        // The last, because it may take seconds, and a kill must lose nothing else.
        await transcripts.stop(afterEnd: activity == nil && player.status.activity == .ended)
        return status
    }

    /// Accepts no more items, because another player continues.
    /// - Returns: the first request if it is not answered yet. The other player answers it.
    func handOver() -> ReplyTicket? { feeder.handOver() }

    /// Returns what is played now; `nil` while that is not known, so that the last record stays.
    func record() -> DeckRecord? {
        let status = player.status
        guard let item = status.item else { return nil }
        var record = DeckRecord(processingLike: status)
        if status.activity != .ended {
            let wraps = status.repeatMode == .all
            guard let remaining = feeder.remaining(from: item.id, wraps: wraps) else { return nil }
            (record.targets, record.ends) = (remaining.targets, remaining.ends)
            (record.nextList, record.passed) = (remaining.nextList, remaining.passed)
            if remaining.resolved.count < remaining.targets.count {
                (record.scope, record.episode, record.resolved) = (request.scope, request.episode, remaining.resolved)
            }
        }
        if !record.targets.isEmpty { record.setPosition(status) }
        (record.volume, record.repeatMode, record.isOpen) = (status.volume, status.repeatMode, true)
        switch status.activity {
        case .playing, .loading, .buffering, .seeking: record.isPlaying = true
        case .idle, .paused, .ended, .connectionLost, .noDevice: record.isPlaying = false
        }
        return record
    }

    /// The items of the playlist from the current one on.
    var items: [PlaybackItem.ID] {
        let playlist = player.playlist
        guard let item = player.status.item else { return playlist.items.map(\.id) }
        return [item.id] + playlist.items(after: item.id, wraps: true).map(\.id)
    }

    /// The side that other programs see.
    var control: SessionControl? {
        get { session.control }
        set { session.control = newValue }
    }
}
