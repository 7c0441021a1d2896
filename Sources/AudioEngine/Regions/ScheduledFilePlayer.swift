// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles
import Glibc
public import Media
import Synchronization

/// A source that plays regions of files at the frames they are scheduled for. Apple's counterpart is
/// `AUAudioFilePlayer`.
///
/// ```swift
/// let player = ScheduledFilePlayer(format: graph.format, clock: graph.clock, events: graph.events)
/// let bars = ScheduledFile(try AudioFileReader(path: "bars.flac", format: graph.format))
/// try player.schedule(FileRegion(bars, frames: 96_000, loopCount: 7)) { print($0.reason) }
/// try player.schedule(FileRegion(bars, startFrame: 96_000))
/// player.start()
/// ```
/// The player's frame 0 is at its start time; until the start time is set, the player is silent. From there on its
/// timeline is the graph's: a frame that is not available in time is silent, counted and reported, and all others
/// keep their positions. Of regions that overlap, the one that begins later plays; if they begin together, the one
/// scheduled later. The rest of the other one is superseded.
///
/// Files are read ahead on the reading thread, never while rendering, into a ring and a block of 4096 frames. For
/// offline rendering, call `prime(frames:)` before each block: it reads on the calling thread and returns when the
/// frames are buffered, so that the result does not depend on a clock.
/// ```swift
/// var renderer = OfflineRenderer(graph, block: 1024) { frames, _ in player.prime(frames: frames) }
/// ```
/// Frames of a file are counted at the file's rate. If the player's rate is different, each pass of a region, and the
/// region that follows, begins at the frame nearest to its exact start: a thousand loops are off by half a frame at
/// most. If this rounding requires a frame after the end of the file, that frame is silent.
public final class ScheduledFilePlayer: RenderSource {
    public let format: AudioFormat

    private let capacity: Int
    private let late: LateStart
    private let lead: Int64
    private let clock: GraphClock?
    private let now: @Sendable () -> HostTime
    private let onEvent: @Sendable (RegionEvent) -> Void
    private let session: ManagedValue<RegionSession>
    private let readAhead: ReadAhead
    private let turn = RenderTurn()
    /// The graph's frame that is rendered next. Written by the rendering thread.
    private let nextFrame = Atomic<Int64>(0)
    /// A lock that is held while regions are scheduled, started and reset, but never while a handler is called.
    private let control = Mutex(Control())

    private struct Control {
        var regions = 0
        var events: [RegionEvent] = []
        var completions: [DueCompletion] = []
    }

    /// The source attached to the reading thread in place of the player.
    private final class ReadAhead: EventSource {
        let session: ManagedValue<RegionSession>
        init(_ session: ManagedValue<RegionSession>) { self.session = session }
        func drainEvents() { session.value.readAhead(to: .max) }
    }

    /// - Parameters:
    ///   - format: the format of the graph; the player renders interleaved Float32.
    ///   - late: the treatment of a start time or a time stamp that has passed.
    ///   - lead: the number of frames after the frame rendered next at which a late region begins, so that it can be
    ///     read in time; 0 suits offline rendering.
    ///   - capacity: the maximum number of frames read ahead, rounded up to a power of two.
    ///   - clock: converts start times in host time, and determines when a frame has played.
    ///   - events: the thread that delivers completions and events.
    ///   - reading: the thread that reads ahead.
    ///   - onEvent: called on `events`.
    ///   - now: returns the current time, for tests and for clocks other than the machine's.
    public init(
        format: AudioFormat, late: LateStart = .skip, lead: Int = 2048, capacity: Int = 32768,
        clock: GraphClock? = nil, events: EventThread, reading: EventThread = .fileReading,
        onEvent: @escaping @Sendable (RegionEvent) -> Void = { _ in },
        now: @escaping @Sendable () -> HostTime = { .now }
    ) {
        self.format = format.renderable
        self.capacity = self.format.buffered(min(max(1, capacity), 1 << 24))
        self.late = late
        self.lead = Int64(min(max(0, lead), 1 << 24))
        self.clock = clock
        self.now = now
        self.onEvent = onEvent
        session = ManagedValue(RegionSession(
            format: self.format, capacity: self.capacity, late: late, clock: clock))
        readAhead = ReadAhead(session)
        events.attach(self)
        reading.attach(readAhead)
    }

    deinit {
        let left = control.withLock { $0.completions } + completions(endingWith: session.value)
        for due in left { due.notify() }
    }

    // MARK: The rendering thread

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard frames > 0, turn.begin() else { return 0 }
        defer { turn.end() }
        session.withValue { $0.render(into: output, frames: frames, at: outputFrame) }
        nextFrame.store(outputFrame.addingClamped(Int64(frames)), ordering: .releasing)
        return frames
    }
}

extension ScheduledFilePlayer {
    // MARK: Any other thread

    /// Adds a region to the timeline.
    /// - Parameters:
    ///   - kinds: the requested completions; each is delivered exactly once, if necessary by `reset`.
    ///   - completion: called on the thread of `events`, or on the thread that releases the player.
    @discardableResult
    public func schedule(
        _ region: FileRegion, kinds: Set<RegionCompletion.Kind> = [.rendered],
        completion: @escaping @Sendable (RegionCompletion) -> Void = { _ in }
    ) throws(RegionError) -> RegionID {
        let stretch = try ValidatedRegion(region, format: format)
        return try control.withLock { control throws(RegionError) in
            let id = RegionID(number: control.regions)
            let session = session.value
            let delay = try session.place(
                stretch, id: id, at: region.time, lead: lead, late: late, kinds: kinds, completion)
            control.regions += 1
            if delay > 0 { control.events.append(.regionLate(id, by: delay)) }
            return id
        }
    }

    /// Sets the start time.
    /// - Returns: false if the start time was set since the last reset, or if it is a moment and the player has no
    ///   clock.
    @discardableResult
    public func start(at time: StartTime = .nextRender) -> Bool {
        control.withLock { _ in
            switch time {
            case .nextRender: return session.value.start(at: nil, next: 0)
            case .sampleTime(let frame): return session.value.start(at: frame, next: nextGraphFrame)
            case .hostTime(let moment):
                guard let clock else { return false }
                guard let frame = clock.fixedSampleTime(at: moment) else { return session.value.start(at: moment) }
                return session.value.start(at: frame, next: nextGraphFrame)
            }
        }
    }

    /// Reads the next `frames` frames ahead, on the calling thread.
    /// - Parameter frames: at most the capacity; 0 reads as many frames as fit.
    /// - Returns: true if all of them are buffered; false if some are not yet available or do not fit.
    @discardableResult
    public func prime(frames: Int = 0) -> Bool {
        let session = session.value
        let count = frames > 0 ? frames : capacity
        return session.readAhead(to: session.ring.claimedFrames.addingClamped(Int64(count)))
    }

    public func prepareToRender(frames: Int) -> Bool {
        if prime(frames: min(frames, capacity)) { return true }
        // A file that is still growing reports no new bytes.
        usleep(2000)
        return false
    }

    /// The frame of the player that is rendered next: negative before the start time, `nil` if no start time is set,
    /// or if it is the next slice and no slice was rendered since.
    public var currentPlayTime: Int64? {
        session.value.startPoint.graphFrame.map { nextGraphFrame.subtractingClamped($0) }
    }

    private var nextGraphFrame: Int64 { nextFrame.load(ordering: .acquiring) }

    /// Removes all regions and the start time. Completions that are due are delivered with their own reason, all
    /// others with `reset`.
    public func reset() {
        let fresh = RegionSession(format: format, capacity: capacity, late: late, clock: clock)
        control.withLock { control in
            let old = session.value
            session.replace(with: fresh)
            control.completions += completions(endingWith: old)
            control.events += old.removeEvents()
        }
    }

    private func completions(endingWith session: RegionSession) -> [DueCompletion] {
        session.removeDue(heard: playedFrame(of: session)) + session.removeAll()
    }

    private func playedFrame(of session: RegionSession) -> Int64? {
        guard let clock else { return nil }
        guard let start = session.startPoint.graphFrame, let frames = clock.playedFrames(by: now()) else { return 0 }
        return frames.subtractingClamped(start)
    }
}

extension ScheduledFilePlayer: EventSource {
    /// Delivers the events and completions since the last call.
    public func drainEvents() {
        let (events, completions) = control.withLock { control in
            defer { (control.events, control.completions) = ([], []) }
            let session = session.value
            return (
                control.events + session.removeEvents(),
                control.completions + session.removeDue(heard: playedFrame(of: session))
            )
        }
        for event in events { onEvent(event) }
        for due in completions { due.notify() }
        session.collect()
    }
}

extension EventThread {
    /// The thread that reads ahead for all players without another one; it polls two hundred times a second.
    public static let fileReading = EventThread(every: .milliseconds(5))
}
