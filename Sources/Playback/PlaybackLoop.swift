// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
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
    var timeline = RenderedTimeline()
    var volume: Double
    var output: VolumeControl?
    /// The items tried since the current one: the successor of the last is the next to open.
    var plan = PlaybackPlan()
    /// The current item, or the last one announced, and the generation of its frames.
    var currentItem: PlaybackItem?
    var currentGeneration: UInt32?
    /// The target of a seek, until some of it is played.
    var landing: Landing?
    /// The item for which `mustWait` was emitted.
    var reportedWaitingItem: PlaybackItem.ID?
    var stall: (item: PlaybackItem, began: Duration)?
    /// The number of stalls of the current item.
    var stalls = 0
    var clock = WaitClock()
    /// The expected duration of the present wait; `nil` while it is unknown, and without a wait.
    var expectedWait: Duration?
    /// The failures of items that cannot be read to their end but are still being played, by generation.
    var failures: [UInt32: MediaFailure] = [:]
    /// True if the device asked for frames that were not available.
    var sinkIsShort = false
    /// The last reason why no more bytes of the item being read arrive.
    var loss: MediaFailure?
    /// The present outage of the output; `nil` while the output is available.
    var outage: OutputOutage?
    var hasStopped = false
    /// True if the state machine requested actions in this round.
    var hasActed = false
    private var wantedBytes = true
    var published = Published()
    private let time: () -> Duration

    struct Landing {
        let place: TimeTarget
        /// The time of the listener's request; `nil` for a seek that the player made.
        let ordered: Duration?
        /// The position to return to if the target lies beyond the end.
        var origin: Duration?
    }

    /// The last published status.
    struct Published {
        var activity = PlayerStatus.Activity.idle
        var at: Duration?
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
        audio = DecodePipeline { [mailbox] in mailbox.wakeForBytes() }
        volume = options.volume
        queue = PlaybackQueue(repeatMode: options.repeatMode)
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
            // The actions of the state machine may allow more work: it may have opened the output or flushed frames.
            if progress != .worked, !hasActed, !hasStopped, !isSurveying { rest(progress) }
        }
        shutDown()
    }

    /// Does the work of one round, or a part of it.
    func round() -> DecodePipeline.Progress {
        hasActed = false
        for message in mailbox.removeAll() { handle(message) }
        retryOutput()
        followDevice()
        recallIfNeeded()
        openNext()
        let progress = readAhead()
        updateMachine(progress)
        publish()
        return progress
    }

    func shutDown() {
        audio.closeAll()
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
        if wants != wantedBytes {
            wantedBytes = wants
            mailbox.setWantsBytes(wants)
            // Bytes that arrived before the flag was set did not wake this thread.
            if wants { return }
        }
        mailbox.wait(atMost: pause)
    }

    /// The maximum time to wait without a wake-up.
    private var pause: Duration {
        guard machine.phase == .rendering || machine.phase == .finishing else { return .milliseconds(250) }
        return min(options.statusInterval, .milliseconds(250))
    }

    // MARK: Reading ahead

    /// Reads until the ring is full or no data is available, at most 32 steps.
    private func readAhead() -> DecodePipeline.Progress {
        var progress = DecodePipeline.Progress.worked
        for _ in 0..<32 {
            progress = audio.step()
            switch progress {
            case .worked: continue
            case .itemFailed(let item, let generation, let failure):
                plan.failed(generation)
                emit(.itemFailed(item, failure))
                return .worked
            case .itemBroke(_, let generation, let failure):
                plan.succeeded()
                failures[generation] = failure
                return .worked
            case .itemRead:
                plan.succeeded()
                return .worked
            case .itemPassed(let item):
                plan.succeeded()
                announceSeekResult(in: item)
                return .worked
            case .beyondEnd(let item, let generation):
                returnFromSeekPastEnd(in: item, generation)
                return .worked
            case .ringFull, .notYetAvailable, .lost, .idle: return progress
            }
        }
        return progress
    }

    private static let noSkipping = MediaFailure(
        .unavailable, "the server does not support seeking; waiting for all data before that position")

    /// Tells each source the offset it must provide next. If an item is open twice, its source serves the instance
    /// played first.
    private func requestBytes() {
        var sources: [any ByteSource] = []
        for item in audio.items where !item.isOver {
            let source = item.reader.source
            guard !sources.contains(where: { $0 === source }) else { continue }
            source.setReadPosition(from: item.reader.readOffset)
            item.crossing?.source.setReadPosition(from: item.crossing?.packets.readOffset ?? 0)
            sources.append(source)
        }
    }

    /// Requests the next bytes, and indexes downloaded ones.
    /// - Returns: true if more can be indexed immediately.
    private func steer(_ progress: DecodePipeline.Progress) -> Bool {
        requestBytes()
        let isComparing = audio.surveyVersions()
        if let (item, landing) = audio.cross() {
            emit(.versionChanged(item, at: position, isSameWord: landing != .sameTime))
            return true
        }
        guard !isComparing else { return true }
        guard let reader = audio.reading ?? audio.readers.last else { return false }
        if progress == .notYetAvailable, reader.mustWaitForLanding, reportedWaitingItem != reader.item.id {
            reportedWaitingItem = reader.item.id
            emit(.mustWait(reader.item, Self.noSkipping))
        }
        let hasMore = reader.survey()
        if let index = reader.removeIndexToStore() { reader.item.source?.keep(index) }
        return hasMore
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

    /// Reports the loss or the recovery of the item being read. Items opened ahead are not affected.
    private func updateLoss() {
        guard let failure = audio.readingItem?.loss else { return perform(machine.handle(.recovered)) }
        // The frames in the device are played first.
        guard audio.bufferedFrames == 0, sinkIsShort || machine.phase != .rendering else { return }
        loss = failure
        perform(machine.handle(.lost))
    }

    private func updateDevice(_ progress: DecodePipeline.Progress) {
        let isDry = audio.bufferedFrames == 0
        if machine.phase == .finishing, isDry { perform(machine.handle(.ringEmptied)) }
        guard isDry else {
            sinkIsShort = false
            // The frames in the device are played before it gets more.
            guard machine.phase != .trailing else { return }
            // The call is unconditional: the device may have run short before a seek or the end reset `sinkIsShort`.
            return sink.sourceRefilled()
        }
        guard sinkIsShort, progress == .notYetAvailable || progress == .idle else { return }
        perform(machine.handle(audio.isBetweenItems ? .nextIsLate : .starved))
    }
}
