// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import AudioProcessing
import ControlProtocol
import EpisodeLibrary
import EpisodeSources
import HTTPTransfer
import Logging
import Media
import Playback
import ProgressiveDownload
import Subscriptions
import TerminalInterface

/// A run of `earshot play`: connects the parts and passes events to the reporter and commands to the player.
package struct PlaySession {
    let options: PlayOptions
    let player: Player
    let started = ContinuousClock.now
    /// True if keys or commands can control the session.
    let isAttended: Bool
    var reporter: any PlaybackReporter
    /// The exit status: the first failure, or the signal that ended the session.
    var status = ExitStatus.success
    var outputTimeout: OutputTimeout
    var diskFullTimeout: DiskFullTimeout
    /// The last item reported as not saved.
    var unsavedItem: PlaybackItem.ID?
    var positions = PositionLog()
    var volumeChanges: VolumeChanges
    /// True while the player is paused because the device was unplugged.
    var isUnplugged = false
    var bookmarks: BookmarkTasks
    let positionSaver: PositionSaver?
    let spaceRecovery: DiskSpaceRecovery?
    var writer: PositionWriter?
    let transcripts: PlayedTranscripts
    let covers: PlayedCovers
    /// The picture of the last chapter with one, and the search for it.
    var chapterCover: (picture: PlayedCover, search: Task<Void, Never>)?
    var display: TranscriptDisplay
    var control: SessionControl?

    let feeder: PlaylistFeeder
    let clock: SessionClock
    /// True until playback has paused before the machine sleeps.
    var isFallingAsleep = false
    /// True after the last line of `--commands`.
    var hasCommandsEnded = false
    let desk: LibraryDesk
    /// True if the library is open.
    let isInLibrary: Bool

    init(
        _ options: PlayOptions, _ player: Player, _ feeder: PlaylistFeeder, _ parts: SessionParts,
        _ transcripts: PlayedTranscripts, _ control: SessionControl?, send: AsyncStream<SessionEvent>.Continuation
    ) {
        (self.options, self.player, self.transcripts, self.control) = (options, player, transcripts, control)
        (self.feeder, clock) = (feeder, SessionClock { send.yield(.person(.tick)) })
        volumeChanges = VolumeChanges(from: options.volume ?? 1)
        desk = LibraryDesk(parts.library, send: send)
        covers = PlayedCovers(parts, send: send)
        isInLibrary = parts.library != nil
        if isInLibrary { desk.look(isKnown: true) }
        self.control?.attach(player)
        bookmarks = BookmarkTasks(BookmarkWriter(library: parts.library), send)
        positionSaver = parts.library.map { PositionSaver($0, logger: parts.logger) }
        writer = positionSaver.map { PositionWriter($0, CompositionRoot.playingRegister()) }
        spaceRecovery = parts.spaceRecovery
        isAttended = options.isAttended
        display = TranscriptDisplay(isPaced: options.output.isPaced)
        outputTimeout = OutputTimeout(isAttended: isAttended)
        diskFullTimeout = DiskFullTimeout(isAttended: isAttended)
        reporter = options.session.playbackReporter
    }

    /// Handles an event. After `playerStopped`, the caller calls `finish` instead.
    mutating func handle(_ event: SessionEvent) async {
        react(to: event)
        allowSleepIfPaused()
        endIfPausedForGood()
        if case .bookmarkEnded(let number) = event, let outcome = await bookmarks.outcome(number) { report(outcome) }
        requestTick(after: event)
    }

    /// Stores the last positions.
    /// - Parameter activity: the activity to show until another player has the item; `nil` if none follows.
    /// - Returns: the exit status.
    mutating func finish(awaiting activity: PlayerStatus.Activity?) async -> ExitStatus {
        bookmarks.endSoon()
        await closePositions()
        for outcome in await bookmarks.outcomes() { report(outcome) }
        // The player may have stopped before it could pause.
        if isFallingAsleep { control?.allowSleep() }
        control?.detach(awaiting: activity)
        if activity == nil { reportStop() }
        write(reporter.finish())
        Terminal.restore()
        return status
    }

    /// Shows that playback stopped before its end. The objects of `--json` end with the process.
    private mutating func reportStop() {
        var last = player.status
        switch last.activity {
        case .playing, .loading, .buffering, .seeking, .paused: last.activity = .idle
        case .idle, .ended, .connectionLost, .noDevice: return
        }
        if !options.session.json { write(reporter.refresh(last, at: now)) }
    }

    mutating func react(to event: SessionEvent) {
        switch event {
        case .person(let input): handle(input)
        case .player(let event): handle(event)
        case .targetFailed(let target, let failure): fail(failure, about: target, by: options.isService ? nil : "play")
        case .nothingToPlay(let hasPodcasts):
            let hint =
                hasPodcasts ? "play an episode by its name, or add episodes to the queue" : "earshot subscribe URL"
            fail(MediaFailure(.missing, hint), about: hasPodcasts ? "nothing to play yet" : LibraryFailureText.first)
        case .noted(let sentence):
            control?.publish(note: sentence)
            if !options.session.json { write(reporter.note(sentence)) }
        case .placed(let item, let episode, let author):
            positions.register(item, as: episode)
            control?.register(item, as: episode, by: author)
        case .covered(let cover, let path): control?.register(cover, at: path)
        case .requestFailed(let target, let failure, let ticket): control?.publish(failure, about: target, by: ticket)
        case .answered(let ticket, let outcome): control?.answer(ticket, outcome)
        case .libraryTouched: if isInLibrary { desk.look(isKnown: false) }
        case .libraryChanged(let queue):
            control?.publish(queue: queue)
            feeder.libraryChanged()
        case .libraryAnswered(let ticket, let result): control?.reply(result, to: ticket)
        case .statusChanged: tick()
        case .transcript(let item, let transcript): display.show(transcript, in: item)
        case .remark(let text): report(note: text)
        case .control(.ownershipLost):
            fail(PlaybackOwner.loss, about: "playback")
            player.send(.stop)
        case .control(let input): if let demand = control?.accept(input) { meet(demand) }
        case .desktop(let request): if let demand = control?.accept(request) { meet(demand) }
        case .power(let event): prepare(for: event)
        case .playerStopped, .deadline, .bookmarkEnded: break
        }
    }

    mutating func closePositions() async {
        guard let positionSaver else { return }
        save(positions.close(player.status, at: now))
        save(takeListened())
        let ending = await positionSaver.finish()
        reportSaveError()
        switch ending {
        case .saved, .lost(_, isKnown: true): break
        case .savedToFallback(let error, let folder):
            let reason = "\(error.reason); the position is stored in \(folder) until the next run"
            write(reporter.report(MediaFailure(.temporary, reason), about: "the last position could not be saved yet"))
        case .lost(let error, isKnown: false):
            fail(MediaFailure(error), about: "the last position could not be saved")
        }
    }

    mutating func reportSaveError() {
        guard let error = positionSaver?.removeError() else { return }
        let subject = positionSaver?.fallbackFolder.map { "positions are stored in \($0) for now" }
        write(reporter.report(MediaFailure(error), about: subject ?? "positions cannot be saved"))
    }

    mutating func save(_ entries: [PositionLog.Entry]) {
        // A time that was heard is written with the next position.
        let entries = entries.isEmpty ? [] : entries + takeListened()
        if let sentence = writer?.write(entries) { write(reporter.note(sentence)) }
    }

    mutating func takeListened() -> [PositionLog.Entry] {
        positions.listen(player.heardTimes, on: ListeningDay(of: CompositionRoot.now))
    }

    var now: Duration { ContinuousClock.now - started }

    /// Writes texts, and stops the player when standard output is closed.
    func write(_ texts: [ReportText]) {
        if !StandardStreams.write(texts) { player.send(.stop) }
    }

    mutating func report(note sentence: String) {
        control?.publish(note: sentence)
        write(reporter.note(sentence))
    }

    // MARK: Events

    mutating func handle(_ event: PlayerEvent) {
        control?.publish(event)
        save(positions.note(event, player.status, at: now))
        write(display.ended(event, player.status, at: now))
        display.note(event, player.status)
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
            if outcome == .refused {
                note(MediaFailure(beyond: place, end, outcome))
            }
        case .itemStarted(let item):
            feeder.note(started: item.id, positions.episode(of: item.id))
            if control?.owner.hasDesktop == true { covers.begin(item, as: positions.episode(of: item.id)) }
            if !display.shows(item.id) { transcripts.begin(item, as: positions.episode(of: item.id)) }
        case .itemEnded: feeder.itemEnded(storing: positionSaver)
        case .startRetried(let item, let failure):
            report(note: "\(item.location): \(failure.reason); trying again")
        case .noEffect(let command, let status):
            report(note: command.problem(status, player.playlist) ?? "the next item is not known yet")
        case .activityChanged, .marked, .stallBegan, .stallEnded, .seekLanded, .seekFailed, .mustWait,
            .timesCorrected, .versionChanged, .alternativePlayed, .damageSkipped, .chaptersFound, .chapterChanged:
            break
        }
        write(reporter.report(event, status: player.status, at: now))
        writeCues()
        storeBookmarks(after: event)
    }

    mutating func writeCues() { write(display.heard(player.status, at: now)) }

    mutating func write(_ cues: [HeardCue]) {
        for cue in cues { write(reporter.report(cue)) }
    }

    mutating func loseOutput(_ failure: MediaFailure) {
        note(failure)
        player.send(.stop)
        var reason = failure.reason
        if case .pulse(nil) = options.output, !options.isService {
            reason += "; without a sound server use --output null, wav:PATH or raw:PATH"
        }
        let advised = MediaFailure(failure.kind, reason)
        write(reporter.report(.outputLost(advised), status: player.status, at: now))
    }

    /// Ends an unattended session; a person at the keys can retry, continue or quit.
    mutating func loseConnection(_ failure: MediaFailure) {
        if !isAttended { end(failure) }
    }

    mutating func end(_ failure: MediaFailure) {
        note(failure)
        player.send(.stop)
    }

    /// - Parameter control: the control that caused the failure; `nil` if none did, or a client of the service earlier.
    mutating func fail(_ failure: MediaFailure, about target: String, by control: String? = nil) {
        note(failure)
        self.control?.publish(failure, about: target, by: control)
        write(reporter.report(failure, about: target))
    }

    mutating func note(_ failure: MediaFailure) {
        if status == .success { status = ExitStatus(failure.kind) }
    }
}
