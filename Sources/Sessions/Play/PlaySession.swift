// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EpisodeLibrary
import EpisodeSources
import HTTPTransfer
import Logging
import Media
import Playback
import ProgressiveDownload
import Subscriptions
package import TerminalInterface

/// A run of `earshot play`: connects the parts and passes events to the reporter and commands to the player.
package struct PlaySession {
    private let options: PlayOptions
    private let player: Player
    private let started = ContinuousClock.now
    /// True if keys or commands can control the session.
    private let isAttended: Bool
    private var reporter: any PlaybackReporter
    /// The exit status: the first failure, or the signal that ended the session.
    private var status = ExitStatus.success
    private var outputTimeout: OutputTimeout
    private var diskFullTimeout: DiskFullTimeout
    /// The last item reported as played from memory.
    private var playedFromMemory: PlaybackItem.ID?
    private var positions = PositionLog()
    /// True while the player is paused because the device was unplugged.
    private var isUnplugged = false
    private let positionSaver: PositionSaver?
    private let spaceRecovery: DiskSpaceRecovery?
    private var writer: PositionWriter?

    package static func run(_ options: PlayOptions) async -> ExitStatus {
        await SessionParts.run(options.session, for: options.targets) { parts in await run(options, parts) }
    }

    private static func run(_ options: PlayOptions, _ parts: SessionParts) async -> ExitStatus {
        let (events, send) = AsyncStream.makeStream(of: SessionEvent.self)
        let player = Player(
            sink: CompositionRoot.sink(for: options.output, logger: parts.logger),
            options: .init(
                outputChannels: CompositionRoot.channels(of: options.output),
                outputRate: CompositionRoot.rate(of: options.output), volume: options.volume,
                repeatMode: options.repeatMode, chimes: Chimes()),
            logger: parts.logger)
        if let speed = options.speed { player.send(.setSpeed(speed)) }
        if let level = options.silenceTrimming { player.send(.trimSilence(level)) }
        if let sleep = options.sleep { player.send(.setSleep(sleep)) }
        let feeders = SessionEventSources(send: send, options: options)
        feeders.follow(player)
        if let targets = parts.targets, options.targets.isEmpty {
            feeders.continueWithQueue(with: targets, into: player, parts.sources)
        } else {
            let resolver = parts.resolver(options.scope) { send.yield(.noted($0)) }
            feeders.resolveTargets(with: resolver, into: player, parts.sources)
        }
        feeders.followInput()
        var session = PlaySession(options, player, parts)
        let status = await session.follow(events)
        feeders.stop()
        await parts.sources.recordDownloads()
        return status
    }

    private init(_ options: PlayOptions, _ player: Player, _ parts: SessionParts) {
        self.options = options
        self.player = player
        positionSaver = parts.library.map { PositionSaver($0, logger: parts.logger) }
        writer = positionSaver.map { PositionWriter($0, CompositionRoot.playingRegister()) }
        spaceRecovery = parts.spaceRecovery
        isAttended = options.readsCommands || Terminal.standardInputIsTerminal
        outputTimeout = OutputTimeout(isAttended: isAttended)
        diskFullTimeout = DiskFullTimeout(isAttended: isAttended)
        reporter = options.session.playbackReporter
    }

    private mutating func follow(_ events: AsyncStream<SessionEvent>) async -> ExitStatus {
        for await event in events {
            if case .playerStopped = event { break }
            handle(event)
        }
        await closePositions()
        write(reporter.finish())
        Terminal.restore()
        return status
    }

    private mutating func handle(_ event: SessionEvent) {
        switch event {
        case .person(let input): handle(input)
        case .player(let event): handle(event)
        case .targetFailed(let target, let failure): fail(failure, about: target)
        case .nothingToPlay(let hasPodcasts):
            let hint =
                hasPodcasts ? "play an episode by its name, or add episodes to the queue" : "earshot subscribe URL"
            fail(MediaFailure(.missing, hint), about: hasPodcasts ? "nothing to play yet" : LibraryFailureText.first)
        case .noted(let sentence): if !options.session.json { write(reporter.note(sentence)) }
        case .placed(let item, let episode): positions.register(item, as: episode)
        case .remark(let text): write(reporter.note(text))
        case .playerStopped: break
        }
    }

    private mutating func closePositions() async {
        guard let positionSaver else { return }
        save(positions.close(player.status, at: now))
        let ending = await positionSaver.finish()
        reportSaveError()
        switch ending {
        case .saved, .lost(_, isKnown: true): break
        case .savedToFallback(let error):
            let reason = "\(error.reason); it is stored beside the library until the next run"
            write(reporter.report(MediaFailure(.temporary, reason), about: "the last position could not be saved yet"))
        case .lost(let error, isKnown: false):
            fail(MediaFailure(error), about: "the last position could not be saved")
        }
    }

    private mutating func reportSaveError() {
        guard let error = positionSaver?.removeError() else { return }
        write(reporter.report(MediaFailure(error), about: "positions cannot be saved"))
    }

    private mutating func save(_ entries: [PositionLog.Entry]) {
        if let sentence = writer?.write(entries) { write(reporter.note(sentence)) }
    }

    private var now: Duration { ContinuousClock.now - started }

    /// Writes texts, and stops the player when standard output is closed.
    private func write(_ texts: [ReportText]) {
        if !StandardStreams.write(texts) { player.send(.stop) }
    }

    // MARK: Events

    private mutating func handle(_ event: PlayerEvent) {
        save(positions.note(event, player.status, at: now))
        switch event {
        case .itemFailed(_, let failure): note(failure)
        case .connectionLost(_, _, let failure): loseConnection(failure)
        case .outputLost(let failure): return loseOutput(failure)
        case .pausedByItself(let failure):
            isUnplugged = true
            if !isAttended { end(failure) }
        case .sleepTimerEnded:
            // Nobody could resume playback.
            if !isAttended { player.send(.stop) }
        // The unplugged device has already been reported.
        case .outputInterrupted where isUnplugged && !options.session.json: return outputTimeout.interrupted(at: now)
        // The permanent loss of the output has already been reported.
        case .activityChanged(.noDevice) where !outputTimeout.isWaiting: return
        case .outputInterrupted: outputTimeout.interrupted(at: now)
        case .outputRestored:
            isUnplugged = false
            outputTimeout.restored()
        case .ended:
            // A short session can end before the first tick.
            reportUnsavedItem(player.status)
            player.send(.stop)
        case .beyondEnd(_, let place, let end, let outcome):
            if outcome != .startedOver, outcome != .stayed || options.readsCommands {
                note(MediaFailure(beyond: place, end, outcome))
            }
        case .activityChanged, .itemStarted, .itemEnded, .stallBegan, .stallEnded, .seekLanded, .mustWait,
            .versionChanged:
            break
        }
        write(reporter.report(event, status: player.status, at: now))
    }

    private mutating func loseOutput(_ failure: MediaFailure) {
        note(failure)
        player.send(.stop)
        var reason = failure.reason
        if case .pulse = options.output { reason += "; without a sound server use --output null, wav:PATH or raw:PATH" }
        let told = MediaFailure(failure.kind, reason)
        write(reporter.report(.outputLost(told), status: player.status, at: now))
    }

    /// Ends an unattended session; a person at the keys can retry, continue or quit.
    private mutating func loseConnection(_ failure: MediaFailure) {
        if !isAttended { end(failure) }
    }

    private mutating func end(_ failure: MediaFailure) {
        note(failure)
        player.send(.stop)
    }

    private mutating func fail(_ failure: MediaFailure, about target: String) {
        note(failure)
        write(reporter.report(failure, about: target))
    }

    private mutating func note(_ failure: MediaFailure) {
        if status == .success { status = ExitStatus(failure.kind) }
    }

    // MARK: Commands

    private mutating func handle(_ input: SessionInput) {
        switch input {
        case .key(let command): execute(command)
        // This session reads only the keys of the player.
        case .pressed: break
        case .command(let command, let line):
            let problem =
                execute(command) ? nil : "cannot play a chime now: nothing is playing, or too many chimes are playing"
            write(reporter.answer(CommandAnswer(line: line, problem: problem)))
        case .badCommand(let answer): write(reporter.answer(answer))
        case .stop(let status):
            self.status = status
            player.send(.stop)
        case .redraw: reporter.redraw(width: Terminal.width() ?? 80)
        case .tick:
            save(positions.tick(player.status, at: now))
            write(reporter.setBackground(Terminal.isShownInBackground))
            reportSaveError()
            write(reporter.refresh(player.status, at: now))
            endWithoutOutput()
            checkDiskSpace(player.status)
            reportUnsavedItem(player.status)
            for remark in spaceRecovery?.removeRemarks() ?? [] { write(reporter.note(remark)) }
        }
    }

    /// - Returns: false for a chime that cannot be played now.
    @discardableResult
    private mutating func execute(_ command: PlayerCommand) -> Bool {
        // A chime may come from a timer, which is no sign of a listener.
        if command != .chime { writer?.claim() }
        return player.send(command)
    }

    private mutating func checkDiskSpace(_ status: PlayerStatus) {
        let subject = status.item?.location ?? "the download"
        switch diskFullTimeout.update(status.downloadProgress?.condition, at: now) {
        case .began(let reason):
            write(reporter.note("\(subject): \(reason); it resumes when space is freed"))
            if let downloadProgress = status.downloadProgress { spaceRecovery?.make(for: downloadProgress) }
        case .over(let failure):
            fail(failure, about: subject)
            player.send(.stop)
        case nil: break
        }
    }

    private mutating func reportUnsavedItem(_ status: PlayerStatus) {
        guard status.downloadProgress?.isKept == false, let item = status.item, item.id != playedFromMemory else {
            return
        }
        playedFromMemory = item.id
        write(reporter.note("\(item.location): the disk is full; playing from memory without saving the file"))
    }

    /// Ends an unattended session whose output stays unavailable.
    private mutating func endWithoutOutput() {
        guard let failure = outputTimeout.failure(player.status, at: now) else { return }
        outputTimeout.restored()
        fail(failure, about: "sound output")
        player.send(.stop)
    }
}
