// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioEngine
import AudioFiles
package import AudioOutput
import EpisodeSources
import HTTPTransfer
import Logging
package import Media
import Playback
import Subscriptions
package import TerminalInterface

/// A run of `earshot loop`: plays a section of a file, controlled by keys.
package struct LoopSession {
    struct Opened: Sendable {
        var section: SectionPlayback.Opened
        var resolved: ResolvedEpisode
        var opening: AudioOpener
    }

    enum Event: Sendable {
        case opened(Result<Opened, MediaFailure>)
        case person(SessionInput)
        case sound(AudioSinkEvent)
        case stream(StreamingEvent)
        /// The result of the attempt with this number to open the output again.
        case outputAttempted(Int, AudioOutputError?)
    }

    /// Short, so that a key takes effect quickly and the shown position is accurate.
    private static let buffer = Duration.milliseconds(60)

    package let source: StreamingSource
    package let sink: any AudioSink
    package let volume: VolumeControl
    private let shortfall: MediaFailure?
    private let damage: FileDamage
    private var hasReportedDamage = false
    let send: AsyncStream<Event>.Continuation
    package let started = ContinuousClock.now
    var outage: OutputOutage?
    package var outputTimeout = OutputTimeout(isAttended: Terminal.standardInputIsTerminal)
    /// The error that ended the output permanently.
    package var lost: AudioOutputError?
    private var orders: LoopOrders
    private var text: LoopText
    private var status = TerminalInterface.ExitStatus.success
    var isPaused = false
    var isDone = false
    /// The sink has consumed all available frames at least once since the last drain.
    private var hasRunShort = false

    package static func run(_ options: LoopOptions) async -> TerminalInterface.ExitStatus {
        await SessionParts.run(options.session, for: [options.target]) { parts in await run(options, parts) }
    }

    private static func run(_ options: LoopOptions, _ parts: SessionParts) async -> TerminalInterface.ExitStatus {
        let opening = parts.audioOpener
        let eventThread = EventThread()
        defer { eventThread.close() }
        let (events, send) = AsyncStream.makeStream(of: Event.self)
        let isTerminal = Terminal.standardInputIsTerminal
        if isTerminal { Terminal.readKeys() }
        let people = SessionInput.follow(isTerminal ? .plainKeys : .nothing, tickingEvery: .milliseconds(100)) {
            send.yield(.person($0))
        }
        let isOver = StopFlag()
        defer {
            people.cancel()
            isOver.set()
        }
        Task { send.yield(.opened(await open(options, opening, eventThread, until: isOver, send))) }
        for await event in events {
            switch event {
            case .opened(.success(let opened)): return await play(opened, options, parts.logger, events, send)
            case .opened(.failure(let failure)): return report(failure, about: TargetResolver.shown(options.target))
            case .person(.stop(let status)): return status
            case .person, .sound, .stream, .outputAttempted: continue
            }
        }
        return .success
    }

    /// Opens the target and its section, unless the session is over before.
    private static func open(
        _ options: LoopOptions, _ opening: AudioOpener, _ eventThread: EventThread, until isOver: StopFlag,
        _ send: AsyncStream<Event>.Continuation
    ) async -> Result<Opened, MediaFailure> {
        do throws(MediaFailure) {
            let resolved = try await opening.resolve(options.target)
            let opened = try await DiskWork.run { () throws(MediaFailure) in
                let reader = try opening.reader(of: resolved) { !isOver.isSet }
                let section = try options.play.open(
                    reader, options.output.isPaced ? .init() : .exact, eventThread
                ) { send.yield(.stream($0)) }
                return Opened(section: section, resolved: resolved, opening: opening)
            }
            return .success(opened)
        } catch {
            return .failure(error)
        }
    }

    private static func play(
        _ opened: Opened, _ options: LoopOptions, _ logger: Logger, _ events: AsyncStream<Event>,
        _ send: AsyncStream<Event>.Continuation
    ) async -> TerminalInterface.ExitStatus {
        let session: LoopSession
        do throws(AudioOutputError) {
            let sink = CompositionRoot.sink(for: options.output, buffer: buffer, logger: logger)
            session = try LoopSession(opened, sink, options, send)
        } catch {
            return report(error.mediaFailure(.cannotCreate), about: "sound output")
        }
        let status = await session.follow(events)
        await opened.opening.close(opened.resolved)
        return status
    }

    private static func report(_ failure: MediaFailure, about subject: String) -> TerminalInterface.ExitStatus {
        Terminal.restore()
        StandardStreams.write([FailureText.line(failure, about: subject)])
        return ExitStatus(failure.kind)
    }

    /// Opens the output; playback starts when the first frames have been read.
    private init(
        _ opened: Opened, _ sink: any AudioSink, _ options: LoopOptions, _ send: AsyncStream<Event>.Continuation
    ) throws(AudioOutputError) {
        let source = opened.section.source
        (self.source, self.sink, self.send) = (source, sink, send)
        (shortfall, damage) = (opened.section.shortfall, opened.section.damage)
        orders = LoopOrders(direction: options.play.isReversed ? .backward : .forward, rate: options.play.speed)
        volume = VolumeControl(source, format: source.format)
        let draws = Terminal.standardErrorIsTerminal && !options.session.quiet
        text = LoopText(title: opened.resolved.title, format: source.format, draws: draws)
        try sink.open(source.format, pulling: volume) { send.yield(.sound($0)) }
        source.play()
        sink.uncork()
    }

    private consuming func follow(_ events: AsyncStream<Event>) async -> TerminalInterface.ExitStatus {
        for await event in events {
            handle(event)
            if isDone { break }
        }
        reportDamage()
        do throws(AudioOutputError) { try sink.close() } catch { if error != lost { failOutput(error) } }
        StandardStreams.write(text.finish())
        Terminal.restore()
        return status
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .person(.pressed(let key)): key.loopControl.map { execute($0) }
        case .person(.stop(let status)): (self.status, isDone) = (status, true)
        case .person(.tick):
            handleShortSource()
            retryOutput()
            reportDamage()
            guard !Terminal.isShownInBackground else { break }
            StandardStreams.write(text.refresh(source.status, isPaused: isPaused, width: Terminal.width() ?? 80))
        case .person, .opened: break
        case .sound(.starved): hasRunShort = true
        case .sound(.drained):
            if let shortfall, status == .success { fail(shortfall, about: text.title) }
            isDone = true
        case .sound(.unplugged): pauseAutomatically("the sound device was unplugged")
        case .sound(.lost(let error)): loseOutput(error)
        case .outputAttempted(let number, let error): handleOutputAttempt(number, error)
        case .sound(.pulled): break
        case .stream(.failed(let error)): fail(MediaFailure(error), about: text.title)
        case .stream: handleShortSource()
        }
    }

    /// Wakes the sink if it waits, or drains it at the end of the source. It is woken repeatedly, because it reports
    /// only once that it waits, however little it then receives.
    private mutating func handleShortSource() {
        guard hasRunShort, outage == nil else { return }
        let now = source.status
        guard now.hasFinished || now.failure != nil else { return sink.sourceRefilled() }
        hasRunShort = false
        sink.drain()
    }

    /// Pauses the session; ends it if no keys could resume it.
    mutating func pauseAutomatically(_ reason: String) {
        guard !isPaused else { return }
        execute(.togglePause)
        note("\(reason): paused")
        guard !Terminal.standardInputIsTerminal else { return }
        (status, isDone) = (.unavailable, true)
    }

    private mutating func reportDamage() {
        guard !hasReportedDamage, let first = damage.first else { return }
        hasReportedDamage = true
        StandardStreams.write(text.finish() + [FailureText.skippedDamage(MediaFailure(first), of: text.title)])
    }

    mutating func note(_ sentence: String) {
        StandardStreams.write(text.finish() + [FailureText.note(sentence)])
    }

    package mutating func fail(_ failure: MediaFailure, about subject: String) {
        if status == .success { status = ExitStatus(failure.kind) }
        StandardStreams.write(text.finish() + [FailureText.line(failure, about: subject)])
    }

    mutating func failOutput(_ error: AudioOutputError) {
        fail(error.mediaFailure(.inputOutput), about: "sound output")
    }
}

// MARK: Commands
extension LoopSession {
    private mutating func execute(_ control: LoopControl) {
        switch control {
        case .togglePause:
            isPaused.toggle()
            if isPaused { sink.cork() } else { sink.uncork() }
        case .turn:
            orders.turn()
            source.setDirection(orders.direction)
        case .setStart: change { orders, now in orders.change(start: now.frame, now) }
        case .setEnd: change { orders, now in orders.change(end: now.frame, now) }
        case .slower: changeRate { $0.slower() }
        case .faster: changeRate { $0.faster() }
        // The start of a pass is in the file.
        case .restart: if let frame = orders.beginning(source.status) { try? source.seek(to: frame) }
        case .changeVolume(let step): volume.gain += step
        case .quit: isDone = true
        }
    }

    private mutating func change(_ order: (inout LoopOrders, StreamingStatus) -> StreamLoop?) {
        // The frame that plays is in the file, so the section begins there as well.
        if let loop = order(&orders, source.status) { try? source.setLoop(loop) }
    }

    private mutating func changeRate(_ order: (inout LoopOrders) -> Void) {
        order(&orders)
        // The orders are limited to the rates of the source.
        try? source.setRate(orders.rate, keepsPitch: true)
    }
}
