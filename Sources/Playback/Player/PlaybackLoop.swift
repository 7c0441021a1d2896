// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import Logging
import Media

/// The playback thread. Each round processes messages, reads ahead, and performs the actions of the state machine.
///
/// No state depends on events that happened once: each round examines levels (the frames in the ring, the downloaded
/// bytes), so that no wake-up can be missed.
final class PlaybackLoop {
    /// The minimum capacity of the ring; it is refilled when half is used. Just below 2^16 frames at 48 kHz.
    static let ringTime = Duration.milliseconds(1300)
    /// The sound to decode before the device starts, if that much is available.
    static let primedTime = Duration.milliseconds(100)

    let sink: any AudioSink
    let options: Player.Options
    let mailbox: PlayerMailbox
    let logger: Logger
    let emit: (PlayerEvent) -> Void

    var queue: PlaybackQueue
    let audio: DecodePipeline
    var machine = PlayerStateMachine()
    var output: OutputSession
    /// The items tried since the current one: the successor of the last is the next to open.
    var plan = PlaybackPlan()
    var starts = StartRetries()
    /// The current item, or the last one announced.
    var current: CurrentItem?
    var seeks = SeekTracker()
    /// The last pause, until playback resumes or leaves its place.
    var lastPause: (item: PlaybackItem.ID, at: Duration)?
    var sleep = SleepState()
    /// The number of times that playback has returned to the place where a fade began.
    var fadeReturns = 0
    /// The chapters of the open items and of the displayed one.
    var books: [PlaybackItem.ID: ChapterBook] = [:]
    var announcer = ChapterAnnouncer()
    /// The known formats of items that are not open: finding one may take a second.
    var knownFormats: [PlaybackItem.ID: AudioFormat] = [:]
    var stalls = StallTracker()
    /// The failures of items that cannot be read to their end but are still being played, by generation.
    var failures: [UInt32: MediaFailure] = [:]
    /// The last reason why no more bytes of the item being read arrive.
    var loss: MediaFailure?
    /// The time at which the bytes after the downloaded ones were requested once more; `nil` before.
    var lastRequest: Duration?
    var published = PublishedStatus()
    var hasStopped = false
    /// True if another round can continue without new bytes: the state machine requested actions, or a search is
    /// unfinished.
    var hasActed = false
    /// Called when the status shows the effect of commands.
    var commandExecuted: () -> Void = {}
    /// The number of commands executed in this round.
    var executed = 0
    /// The time since when nothing happens; `nil` while something does.
    var quietSince: Duration?
    private let time: () -> Duration

    struct CurrentItem {
        var item: PlaybackItem
        /// The generation of its frames.
        var generation: UInt32
    }

    /// - Parameter time: the time of a monotonic clock.
    init(
        sink: any AudioSink, options: Player.Options, mailbox: PlayerMailbox, logger: Logger,
        time: @escaping () -> Duration = PlaybackLoop.stopwatch(), emit: @escaping (PlayerEvent) -> Void
    ) {
        self.sink = sink
        self.options = options
        self.mailbox = mailbox
        self.logger = logger
        self.time = time
        self.emit = emit
        // Weak, because the mailbox holds the status, which holds the item, which may hold its source.
        audio = DecodePipeline { [weak mailbox] in mailbox?.wakeForBytes() }
        audio.measuresFirst = !sink.isPaced
        output = OutputSession(volume: options.volume)
        queue = PlaybackQueue(repeatMode: options.repeatMode)
        // Without an item, a pause causes no actions.
        if options.isPaused { _ = machine.handle(.paused) }
    }

    var now: Duration { time() }

    static func stopwatch() -> () -> Duration {
        let start = ContinuousClock.now
        return { ContinuousClock.now - start }
    }

    func run() {
        while !hasStopped {
            let progress = round()
            let isSurveying = steer(progress)
            if canRest(after: progress), !hasStopped, !isSurveying { rest(progress) }
        }
        shutDown()
    }

    /// Returns true if another round would decode nothing. The actions of the state machine may allow more work: it may
    /// have opened the output or flushed frames.
    func canRest(after progress: DecodePipeline.Progress) -> Bool { progress != .progressed && !hasActed }

    /// Does the work of one round, or a part of it.
    func round() -> DecodePipeline.Progress {
        hasActed = false
        executed = 0
        for message in mailbox.removeAll() { handle(message) }
        reportPreparationError()
        retryOutput()
        followDevice()
        followSuspension()
        followChapters()
        countSleep()
        limitFramesForSleep()
        updateEdits()
        recallIfNeeded()
        openNext()
        seekDeferred()
        let progress = readAhead()
        retryStart()
        updateMachine(progress)
        publish()
        return progress
    }

    func shutDown() {
        publishHeardTimes()
        // The sound that was read ahead is not played.
        mailbox.status = mailbox.status.at(.now)
        audio.closeAll()
        audio.measurer.stop()
        do throws(AudioOutputError) {
            try sink.close()
        } catch {
            // `close` throws the first failure, which may have been reported before.
            loseOutput(error, .inputOutput)
        }
    }

    /// Waits until there may be work to do.
    private func rest(_ progress: DecodePipeline.Progress) {
        let wants = progress != .ringFull || machine.phase != .rendering
        if let writer = audio.writer { mailbox.refillLevel = writer.refillLevel }
        // Bytes that arrived before the flag was set did not wake this thread.
        if mailbox.setWantsBytes(wants), wants { return }
        mailbox.wait(atMost: longestRest)
    }

    /// The maximum time to wait without a wake-up; `nil` for no limit.
    private var longestRest: Duration? {
        guard !isQuiet else { return nil }
        let pause = min(.milliseconds(250), timeToBoundary ?? .milliseconds(250))
        guard machine.phase == .rendering || machine.phase == .finishing else { return pause }
        return min(options.statusInterval, pause)
    }

    // MARK: Deciding

    /// Reports the present levels to the state machine.
    private func updateMachine(_ progress: DecodePipeline.Progress) {
        if progress == .idle, plan.successor(in: queue) == .none {
            perform(machine.handle(.allRead))
        } else if progress != .idle {
            perform(machine.handle(.moreToRead))
        }
        let isMade = audio.firstFormat != nil && (audio.ring != nil || outputFormat != nil)
        if isMade || audio.bufferedFrames > 0 { perform(machine.handle(.formatKnown)) }
        updateLoss()
        updateWait(progress)
        updateDevice(progress)
    }

    private func updateDevice(_ progress: DecodePipeline.Progress) {
        let isDry = audio.bufferedFrames == 0
        if machine.phase == .finishing, isDry { perform(machine.handle(.ringEmptied)) }
        guard isDry else {
            output.isStarved = false
            // The frames in the device are played before it gets more.
            guard machine.phase != .trailing else { return }
            // The call is unconditional: the device may have run short before a seek or the end reset `isStarved`.
            return sink.sourceRefilled()
        }
        // Playback stops at a hold, so the device also plays frames that are too few to start it.
        if output.isStarved, progress == .ringFull, sink.hasDevice { return sink.drain() }
        guard output.isStarved, progress == .notYetAvailable || progress == .idle else { return }
        perform(machine.handle(audio.isBetweenItems ? .nextIsLate : .starved))
    }
}
