// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Logging
import Media

/// The playback thread: takes messages, reads ahead, lets the machine decide and does what it says, round and round.
///
/// Nothing here is remembered as "happened once": each round looks at levels (what is in the ring, what has arrived),
/// so that no wake-up can be missed.
final class PlaybackLoop {
    /// What the ring holds at least; it is filled again when half is gone. Just below 2^16 frames at 48 kHz.
    static let ringTime = Duration.milliseconds(1300)
    /// Frames that are decoded before the device is let run, if there are as many.
    static let primedTime = Duration.milliseconds(100)

    let sink: any AudioSink
    let sources: any SourceProvider
    let options: Player.Options
    let mailbox: PlayerMailbox
    let logger: Logger
    let emit: (PlayerEvent) -> Void

    var queue: PlaybackQueue
    let audio: AudioQueue
    var machine = PlayerStateMachine()
    var timeline = RenderedTimeline()
    var volume: Double
    var output: VolumeControl?
    /// The items tried since the one heard: the successor of the last is the next to be opened.
    var plan = PlaybackPlan()
    /// The item that is, or was last, announced as heard, and the generation of its frames.
    var heard: PlaybackItem?
    var heardGeneration: UInt32?
    /// Where a seek goes, until something of it is heard.
    var landing: Landing?
    /// The item of which the listener was told that its server cannot skip ahead.
    var toldToWait: PlaybackItem.ID?
    var stall: (item: PlaybackItem, began: Duration)?
    /// How often the item that is heard has stalled.
    var stalls = 0
    var clock = SilenceClock()
    /// How long the present silence is expected to go on; `nil` while that cannot be told, and while there is none.
    var expectedWait: Duration?
    /// Items that cannot be read to their end, of which something is still to be heard, by generation.
    var failures: [UInt32: MediaFailure] = [:]
    /// The device asked for frames that were not there.
    var sinkIsShort = false
    /// Why the bytes of the item being read end for good, as it was last told.
    var loss: MediaFailure?
    /// The output has gone; `nil` while it is there.
    var outage: OutputOutage?
    var hasStopped = false
    /// The machine had something done in this round.
    var hasActed = false
    private var wantedBytes = true
    var published = Published()
    private let time: () -> Duration

    struct Landing {
        let place: TimeTarget
        /// When the listener asked for it; `nil` where nobody did.
        let ordered: Duration?
        /// Where to go back to, should the place lie beyond the end.
        var origin: Duration?
    }

    /// What was last told to the outside.
    struct Published {
        var activity = PlayerStatus.Activity.idle
        var at: Duration?
    }

    /// - Parameter time: of a monotonic clock.
    init(
        sink: any AudioSink, sources: any SourceProvider, options: Player.Options, mailbox: PlayerMailbox,
        logger: Logger, time: @escaping () -> Duration = PlaybackLoop.stopwatch(),
        emit: @escaping (PlayerEvent) -> Void
    ) {
        self.sink = sink
        self.sources = sources
        self.options = options
        self.mailbox = mailbox
        self.logger = logger
        self.time = time
        self.emit = emit
        audio = AudioQueue { [mailbox] in mailbox.wakeForBytes() }
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
            // What the machine did may have made room for more: the output it opened, the frames it flushed.
            if progress != .worked, !hasActed, !hasStopped, !isSurveying { rest(progress) }
        }
        shutDown()
    }

    /// Does what there is to do now, or a part of it.
    func round() -> AudioQueue.Progress {
        hasActed = false
        for message in mailbox.takeAll() { take(message) }
        retryOutput()
        followDevice()
        recallIfNeeded()
        openNext()
        let progress = readAhead()
        settle(progress)
        publish()
        return progress
    }

    func shutDown() {
        audio.closeAll()
        do throws(AudioOutputError) {
            try sink.close()
        } catch {
            // Closing tells the first failure, which may have been heard of before.
            loseOutput(error, .inputOutput)
        }
    }

    /// Waits until there may be something to do.
    private func rest(_ progress: AudioQueue.Progress) {
        let wants = progress != .ringFull || machine.phase != .rendering
        if wants != wantedBytes {
            wantedBytes = wants
            mailbox.setWantsBytes(wants)
            // Bytes that came before this was said woke nobody.
            if wants { return }
        }
        mailbox.wait(atMost: pause)
    }

    /// How long there is nothing to do if nobody wakes us.
    private var pause: Duration {
        guard machine.phase == .rendering || machine.phase == .finishing else { return .milliseconds(250) }
        return min(options.statusInterval, .milliseconds(250))
    }

    // MARK: Reading ahead

    /// Reads until the ring is full or there is nothing to read, a tenth of a second of sound at a time.
    private func readAhead() -> AudioQueue.Progress {
        var progress = AudioQueue.Progress.worked
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
                tellLanding(in: item)
                return .worked
            case .beyondEnd(let item, let generation):
                turnBack(in: item, generation)
                return .worked
            case .ringFull, .edge, .lost, .idle: return progress
            }
        }
        return progress
    }

    private static let noSkipping = MediaFailure(
        .unavailable, "the server cannot skip ahead; all that lies in between has to arrive first")

    /// An item that is open twice is fetched for the one heard first.
    private func sayNeeds() {
        var sources: [any ByteSource] = []
        for item in audio.items where item.ending == nil {
            let source = item.reader.source
            guard !sources.contains(where: { $0 === source }) else { continue }
            source.need(from: item.reader.readOffset)
            item.crossing?.source.need(from: item.crossing?.packets.readOffset ?? 0)
            sources.append(source)
        }
    }

    /// Says what is needed next, and indexes what has arrived.
    /// - Returns: whether there is more to index at once.
    private func steer(_ progress: AudioQueue.Progress) -> Bool {
        sayNeeds()
        let isComparing = audio.surveyVersions()
        if let (item, landing) = audio.cross() {
            emit(.versionChanged(item, at: position, isSameWord: landing != .sameTime))
            return true
        }
        guard !isComparing else { return true }
        guard let reader = audio.reading ?? audio.readers.last else { return false }
        if progress == .edge, reader.mustWaitForLanding, toldToWait != reader.item.id {
            toldToWait = reader.item.id
            emit(.mustWait(reader.item, Self.noSkipping))
        }
        let hasMore = reader.survey()
        if let index = reader.takeIndexToKeep() { sources.keep(index, for: reader.item) }
        return hasMore
    }

    // MARK: Deciding

    /// Tells the machine what the levels say.
    private func settle(_ progress: AudioQueue.Progress) {
        if progress == .idle, plan.successor(in: queue) == .none {
            perform(machine.handle(.allRead))
        } else if progress != .idle {
            perform(machine.handle(.moreToRead))
        }
        let isMade = audio.firstFormat != nil && (audio.ring != nil || outputFormat != nil)
        if isMade || audio.bufferedFrames > 0 { perform(machine.handle(.formatKnown)) }
        settleLoss()
        settleSilence(progress)
        settleDevice(progress)
    }

    /// Items opened ahead may go on meanwhile.
    private func settleLoss() {
        guard let failure = audio.readingItem?.loss else { return perform(machine.handle(.recovered)) }
        // What is in the device is heard before that.
        guard audio.bufferedFrames == 0, sinkIsShort || machine.phase != .rendering else { return }
        loss = failure
        perform(machine.handle(.lost))
    }

    private func settleDevice(_ progress: AudioQueue.Progress) {
        let isDry = audio.bufferedFrames == 0
        if machine.phase == .finishing, isDry { perform(machine.handle(.ringEmptied)) }
        guard isDry else {
            sinkIsShort = false
            // What the device still holds is heard before more is given to it.
            guard machine.phase != .trailing else { return }
            // Whether it said so or not: it also came back short where a seek or the end has made us forget that.
            return sink.sourceRefilled()
        }
        guard sinkIsShort, progress == .edge || progress == .idle else { return }
        perform(machine.handle(audio.isBetweenItems ? .nextIsLate : .starved))
    }
}
