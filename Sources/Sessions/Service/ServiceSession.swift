// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import DesktopBus
import EpisodeLibrary
import Logging
import Media
import Playback
import TerminalInterface

/// A run of `earshot serve`: owns playback without a terminal. It has a player only while something plays or is paused.
struct ServiceSession {
    let options: ServeOptions
    let logger: Logger
    let send: AsyncStream<SessionEvent>.Continuation
    let numbers = ItemNumbers()
    var deck: Deck?
    /// The parts of the player.
    var parts: SessionParts?
    /// The side that other programs see, while there is no player; the player's session has it otherwise.
    var control: SessionControl
    /// The requests to stop that wait until the player has stopped.
    var stopTickets: [ReplyTicket] = []
    /// True if the present player was ended by a client or the desktop, so that no other one follows it.
    var isStopping = false
    var isQuitting = false
    /// True to quit when playback has ended.
    var quitsAtRest = false
    /// The chosen output; `nil` for the remembered one.
    var output: OutputOption?
    /// The same until an item sounds on it. It is remembered then, once: another process may choose a later one.
    var silentOutput: OutputOption?
    /// The output before a change of the output, until an item sounds on the new one.
    var formerOutput: FormerOutput?
    let desk: LibraryDesk
    let journal: DeckJournal
    /// The last written record.
    var record: DeckRecord
    /// The request to start after the present player has stopped.
    var successor: Succession?
    /// The request to play that the next player answers.
    var handedOver: ReplyTicket?
    /// The requests of the desktop that wait until the next player has the item.
    var postponed: [MPRISRequest] = []
    /// The requests that came while the present player stopped. The service handles them afterwards.
    private var late: [SessionEvent] = []
    /// True if the next player begins without sound.
    var startsPaused = false
    /// True if the present player was ended after a long pause.
    var isReleased = false
    private var clients = 0
    private var idle: IdlePolicy
    private var alarm: Task<Void, Never>?
    private var alarmTime: Duration?

    /// Owns playback until a client or a signal ends it.
    static func run(_ options: ServeOptions) async -> ExitStatus {
        let logger = CompositionRoot.logger(options.session.logLevel)
        let (events, send) = AsyncStream.makeStream(of: SessionEvent.self)
        do throws(MediaFailure) {
            let owner = try await PlaybackOwner.claim(.service, send: send)
            let inputs = SessionEventSources(send: send)
            inputs.followInput(.nothing)
            let watch = LibraryWatch.start(CompositionRoot.libraryPath) { send.yield(.libraryTouched) }
            var session = ServiceSession(options, logger, owner, send)
            await session.follow(events)
            watch?.stop()
            inputs.stop()
            send.finish()
            owner.stop()
            return .success
        } catch {
            StandardStreams.write([FailureText.note(error.reason)])
            return ExitStatus(error.kind)
        }
    }

    private init(
        _ options: ServeOptions, _ logger: Logger, _ owner: PlaybackOwner,
        _ send: AsyncStream<SessionEvent>.Continuation
    ) {
        (self.options, self.logger, self.send) = (options, logger, send)
        (output, silentOutput, desk) = (options.output, options.output, LibraryDesk(nil, send: send))
        control = SessionControl(owner, DownloadDesk(options.session, owner) { send.yield(.statusChanged) })
        desk.look(isKnown: true)
        idle = IdlePolicy(exitTime: options.idleExit, at: MonotonicTime.now)
        journal = DeckJournal(logger)
        record = journal.read()
        control.resting.repeatMode = record.repeatMode
        if output == nil { (output, silentOutput) = (record.output, record.isOutputSilent ? record.output : nil) }
        control.update()
    }

    private mutating func follow(_ events: AsyncStream<SessionEvent>) async {
        await recover()
        if deck == nil {
            let memory = await soundMemory()
            showVolume(memory)
        }
        updateIdle()
        ServiceNotice.ready.send(environment: CompositionRoot.controlEnvironment)
        for await event in events {
            await handle(event)
            await performPostponed()
            if isQuitting, deck == nil { break }
            updateRecord()
            updateIdle()
        }
        ServiceNotice.stopping.send(environment: CompositionRoot.controlEnvironment)
        if record.isOpen { closeRecord(nil) }
        alarm?.cancel()
        await journal.finish()
        await control.downloads.stop()
    }

    private mutating func handle(_ event: SessionEvent) async {
        switch event {
        case .person(.stop): quit()
        case .deadline: meetDeadline()
        case .playerStopped:
            await closeDeck()
            await handleLate()
        case .desktop(.quit): quit()
        case .control(let input): await handle(input)
        // Only a stop before all others is that of this player.
        case .desktop(let request) where isEnding && (request != .stop || !late.isEmpty): late.append(event)
        case .desktop(let request) where postpones(request): postponed.append(request)
        // Another output replaces it.
        case .player(.outputLost) where successor != nil: break
        case .player(.outputLost(let failure)) where replacementOutput != nil: fallBack(failure)
        default:
            if successor == nil, case .player(.itemStarted) = event { (formerOutput, silentOutput) = (nil, nil) }
            successor = successor?.following(event)
            if case .desktop(.stop) = event, deck != nil { isStopping = true }
            if deck != nil { await deck?.handle(event) } else { await rest(event) }
        }
    }

    /// True while the player stops and no other one follows, so that nothing executes a command.
    private var isEnding: Bool { successor == nil && !isQuitting && deck?.player.isStopping ?? false }

    private mutating func handleLate() async {
        let events = late
        late = []
        for event in events {
            if !isQuitting {
                await handle(event)
            } else if case .control(let input) = event, let ticket = input.commandTicket {
                (deck?.control ?? control).reply(.failure(ControlError(Self.isAboutToEnd)), to: ticket)
            }
        }
    }

    private mutating func rest(_ event: SessionEvent) async {
        switch event {
        case .desktop(let request): await rest(request)
        case .power(.sleeps): control.allowSleep()
        case .libraryTouched: desk.look(isKnown: false)
        case .libraryChanged(let queue):
            control.publish(queue: queue)
            follow(queue: queue)
        case .libraryAnswered(let ticket, let result): control.reply(result, to: ticket)
        case .answered(let ticket, .failure(let failure)): control.refuse(ticket, failure)
        // The request came while a player ended.
        case .answered(let ticket, .success): control.refuse(ticket, MediaFailure(.temporary, "playback has ended"))
        default: break
        }
    }

    private mutating func handle(_ input: ControlInput) async {
        if case .clientCount(let count) = input { clients = count }
        if case .ownershipLost = input {
            StandardStreams.write([FailureText.note(PlaybackOwner.loss.reason)])
            return quit()
        }
        guard deck != nil else { return await rest(input) }
        if isEnding, !late.isEmpty, input.commandTicket != nil { return late.append(.control(input)) }
        if case .request(let request) = input, await handles(request) { return }
        if input.commandTicket != nil, isEnding, !input.stopsPlayer { return late.append(.control(input)) }
        // The player stops, and would lose the command.
        if successor != nil, let ticket = input.commandTicket {
            deck?.control?.refuse(ticket, MediaFailure(.temporary, "the output is being changed; try again"))
            return
        }
        if input.stopsPlayer { isStopping = true }
        await deck?.handle(.control(input))
    }

    /// - Returns: false if the request is the player's.
    private mutating func handles(_ request: ControlRequest) async -> Bool {
        switch request.method {
        case .output: await change(request)
        case .stop:
            stopTickets.append(request.ticket)
            (successor, isStopping) = (nil, true)
            deck?.control?.note(.stop, by: request.ticket)
            deck?.player.send(.stop)
        case .serviceQuit:
            deck?.control?.reply(.success(.object([])), to: request.ticket)
            if request.quitsAtRest {
                quitsAtRest = true
            } else {
                deck?.control?.note(.stop, by: request.ticket)
                quit()
            }
        default: return false
        }
        return true
    }

    // MARK: Ends

    mutating func quit() {
        guard !isQuitting else { return }
        isQuitting = true
        // Before the state is idle, so that clients know why.
        if deck == nil { control.publishEnd() } else { deck?.control?.publishEnd() }
        deck?.player.send(.stop)
        // A disk that does not answer must not keep the process.
        Task {
            try? await Task.sleep(for: .milliseconds(1700))
            SignalWatcher.exitAtOnce(.success)
        }
    }

    private mutating func meetDeadline() {
        alarmTime = nil
        let isUpToDate = deck?.player.isUpToDate ?? true
        // The player may have executed a command since the last event.
        updatePlayerState()
        switch idle.action(at: MonotonicTime.now, isUpToDate: isUpToDate) {
        case .release:
            isReleased = true
            deck?.player.send(.stop)
        case .exit: quit()
        case nil: break
        }
    }

    private mutating func updatePlayerState() {
        idle.update(playerState, hasClients: clients > 0 || control.downloads.isRunning, at: MonotonicTime.now)
    }

    private mutating func updateIdle() {
        updatePlayerState()
        guard idle.deadline != alarmTime else { return }
        alarm?.cancel()
        alarmTime = idle.deadline
        guard let deadline = idle.deadline else { return alarm = nil }
        alarm = Task { [send] in
            guard (try? await Task.sleep(for: max(.zero, deadline - MonotonicTime.now))) != nil else { return }
            send.yield(.deadline)
        }
    }

    private var playerState: IdlePolicy.Player {
        guard let deck else { return .none }
        return switch deck.player.status.activity {
        case .playing, .loading, .buffering, .seeking: .sounding
        case .idle, .paused, .ended, .connectionLost, .noDevice: .silent
        }
    }
}
