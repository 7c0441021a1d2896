// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles
public import Media
import Synchronization

/// Plays regions of files at the frames they are scheduled for: what AUAudioFilePlayer is elsewhere.
///
/// ```swift
/// let player = ScheduledFilePlayer(format: graph.format, clock: graph.clock, events: graph.events)
/// let bars = ScheduledFile(try AudioFileReader(path: "bars.flac", format: graph.format))
/// try player.schedule(FileRegion(bars, frames: 96_000, loopCount: 7)) { print($0.reason) }
/// try player.schedule(FileRegion(bars, startFrame: 96_000))
/// player.start()
/// ```
/// The player's frame 0 is at its start time, and before that is set nothing is heard. From there on its timeline is
/// the graph's: a frame that is not there in time is silent, counted and told, and all others stay in their places.
/// Of regions that overlap, the one that begins later is heard; where they begin together, the one scheduled later. The
/// rest of the other is superseded.
///
/// Files are read ahead on the reading thread, never while rendering, into a ring and a block of 4096 frames. Who
/// renders offline has `prime(frames:)` called before each block: it reads on the calling thread and returns when the
/// frames are there, so that the result depends on no clock.
/// ```swift
/// var renderer = OfflineRenderer(graph, block: 1024) { frames, _ in player.prime(frames: frames) }
/// ```
/// Frames of a file count at the file's own rate. Where the player's is another one, each pass of a region begins at
/// the frame nearest to where it begins exactly, and so does what follows it: a thousand loops are off by half a frame
/// at most. A frame that this rounding asks for behind the end of the file is silent.
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
    /// Held while regions are scheduled, started and reset, and never while anyone is told.
    private let control = Mutex(Control())

    private struct Control {
        var regions = 0
        var events: [RegionEvent] = []
        var completions: [DueCompletion] = []
    }

    /// Attached to the reading thread in the player's stead.
    private final class ReadAhead: EventSource {
        let session: ManagedValue<RegionSession>
        init(_ session: ManagedValue<RegionSession>) { self.session = session }
        func drainEvents() { session.value.readAhead(to: .max) }
    }

    /// - Parameters:
    ///   - format: what the graph renders: interleaved Float32.
    ///   - late: what becomes of a start time or a time stamp that has passed.
    ///   - lead: frames that a late region begins behind the frame rendered next, so that it can be read in time; 0
    ///     suits who renders offline.
    ///   - capacity: frames read ahead at most, rounded up to a power of two.
    ///   - clock: for start times in host time, and to tell when a frame was heard.
    ///   - events: the thread that tells.
    ///   - reading: the thread that reads ahead.
    ///   - onEvent: told on `events`.
    ///   - now: the time, for tests and for clocks that are not the machine's.
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
        for due in left { due.tell() }
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

    /// Puts a region on the timeline.
    /// - Parameters:
    ///   - kinds: which completions are wanted; each comes exactly once, be it with `reset`.
    ///   - completion: told on the thread of `events`, or by whoever lets go of the player.
    @discardableResult
    public func schedule(
        _ region: FileRegion, kinds: Set<RegionCompletion.Kind> = [.rendered],
        completion: @escaping @Sendable (RegionCompletion) -> Void = { _ in }
    ) throws(RegionError) -> RegionID {
        let stretch = try RegionStretch(region, format: format)
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
    /// - Returns: false when it was set since the last reset, or a moment is given and there is no clock.
    @discardableResult
    public func start(at time: StartTime = .nextRender) -> Bool {
        control.withLock { _ in
            switch time {
            case .nextRender: return session.value.start(at: nil, next: 0)
            case .sampleTime(let frame): return session.value.start(at: frame, next: nextGraphFrame)
            case .hostTime(let moment):
                guard let clock else { return false }
                guard let frame = clock.settledSampleTime(at: moment) else { return session.value.start(at: moment) }
                return session.value.start(at: frame, next: nextGraphFrame)
            }
        }
    }

    /// Reads ahead, on the calling thread, what is heard in the next `frames` frames.
    /// - Parameter frames: 0 is as many as can be held, which is the most at once.
    /// - Returns: whether all of it is there; not so where it has not arrived yet, or is more than can be held.
    @discardableResult
    public func prime(frames: Int = 0) -> Bool {
        let session = session.value
        let count = frames > 0 ? frames : capacity
        return session.readAhead(to: session.ring.claimedFrames.addingClamped(Int64(count)))
    }

    /// The frame of the player that is rendered next: negative before the start time, `nil` where none is set, or set
    /// to the next slice and there was none.
    public var currentPlayTime: Int64? {
        session.value.startPoint.graphFrame.map { nextGraphFrame.subtractingClamped($0) }
    }

    private var nextGraphFrame: Int64 { nextFrame.load(ordering: .acquiring) }

    /// Forgets all regions and the start time. Completions that are due are told as they are, all others as `reset`.
    public func reset() {
        let fresh = RegionSession(format: format, capacity: capacity, late: late, clock: clock)
        control.withLock { control in
            let old = session.value
            session.replace(with: fresh)
            control.completions += completions(endingWith: old)
            control.events += old.takeEvents()
        }
    }

    private func completions(endingWith session: RegionSession) -> [DueCompletion] {
        session.takeDue(heard: heardFrame(of: session)) + session.takeAll()
    }

    private func heardFrame(of session: RegionSession) -> Int64? {
        guard let clock else { return nil }
        guard let start = session.startPoint.graphFrame, let frames = clock.heardFrames(by: now()) else { return 0 }
        return frames.subtractingClamped(start)
    }
}

extension ScheduledFilePlayer: EventSource {
    /// Tells what has happened since it was last called.
    public func drainEvents() {
        let (events, completions) = control.withLock { control in
            defer { (control.events, control.completions) = ([], []) }
            let session = session.value
            return (
                control.events + session.takeEvents(),
                control.completions + session.takeDue(heard: heardFrame(of: session))
            )
        }
        for event in events { onEvent(event) }
        for due in completions { due.tell() }
        session.collect()
    }
}

extension EventThread {
    /// Reads ahead for all players that have no other: looks two hundred times a second.
    public static let fileReading = EventThread(every: .milliseconds(5))
}
