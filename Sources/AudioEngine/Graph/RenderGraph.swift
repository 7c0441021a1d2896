// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import Media
import Synchronization

/// The root of a graph, from which a device or an `OfflineRenderer` pulls. It delivers every requested frame, with
/// silence where its output delivers too few, renders in slices of a bounded length, and publishes the time of each
/// slice.
///
/// ```swift
/// let graph = RenderGraph(format: AudioFormat(sampleRate: 48_000, channels: 2))
/// let mixer = Mixer(for: graph)
/// graph.output = mixer
/// try sink.open(graph.format, pulling: graph) { _ in }
/// ```
/// Apple's counterpart is `AVAudioEngine`. The timeline of a graph counts the frames that the device has taken.
public final class RenderGraph: RenderSource {
    /// The source of the host times in time stamps.
    public enum HostTimes: Sendable {
        /// The time that the device reports, if a `GraphPlayback` plays the graph; otherwise the time of the call
        /// plus `latency`, smoothed by a `SliceTimer`.
        case measured
        /// Frame 0 plays at this moment and the rest at the nominal rate, so that every run has the same times.
        case nominal(origin: HostTime)
    }

    public let format: AudioFormat
    /// The maximum number of frames that the graph requests from its parts in one call.
    public let maximumSlice: Int
    /// The clock that relates the graph's frames to the machine's time.
    public let clock: GraphClock
    /// The thread that delivers events from the realtime thread, for all parts of the graph.
    public let events: EventThread

    private let hostTimes: HostTimes
    private let plan: ManagedValue<Plan>
    private let nanosecondsOfLatency = Atomic<Int64>(0)
    private let underruns = Atomic<Int>(0)
    /// Dereferenced only while `render` holds `turn`, and by `expect`, which the one device that `beginPlaying` admits
    /// calls on the thread that renders.
    private nonisolated(unsafe) let timer: UnsafeMutablePointer<SliceTimer>
    private let mark = RenderMark()
    private let turn = RenderTurn()
    private let isPlayed = Atomic<Bool>(false)
    /// Returns the current time. Tests and clocks other than the machine's replace it.
    package let now: @Sendable () -> HostTime

    private final class Plan: Sendable {
        let output: (any RenderSource)?
        let receivers: [any TimingReceiver]

        init(output: (any RenderSource)?, receivers: [any TimingReceiver]) {
            self.output = output
            self.receivers = receivers
        }
    }

    /// - Parameters:
    ///   - format: the rate, 1...2²⁴, and the channels, 1...1024; the graph renders interleaved Float32.
    ///   - maximumSlice: PCM frames, 1...2²⁰.
    ///   - events: the graph attaches itself; an `EventThread(every: nil)` delivers events only when it is drained.
    ///   - now: returns the current time, for tests and for clocks other than the machine's. The realtime thread
    ///     calls it, too.
    public init(
        format: AudioFormat, maximumSlice: Int = 1024, hostTimes: HostTimes = .measured,
        events: EventThread = EventThread(), now: @escaping @Sendable () -> HostTime = { .now }
    ) {
        self.format = format.renderable
        self.maximumSlice = min(max(1, maximumSlice), AudioFormat.longestSlice)
        self.hostTimes = hostTimes
        self.events = events
        self.now = now
        clock = GraphClock(format: self.format)
        plan = ManagedValue(Plan(output: nil, receivers: []))
        timer = .allocate(capacity: 1)
        timer.initialize(to: SliceTimer(sampleRate: self.format.sampleRate))
        events.attach(self)
    }

    deinit { timer.deallocate() }

    // MARK: Any thread but the realtime one

    /// The source that the graph plays, in the graph's format; `nil` plays silence. A new source replaces the old one
    /// with the next slice, without a fade; use a `Mixer` as the output to fade. Assigning a source that renders this
    /// graph has no effect; `setOutput` throws in that case.
    public var output: (any RenderSource)? {
        get { plan.value.output }
        set { if newValue?.leads(to: self) != true { change(output: newValue) } }
    }

    /// Changes the output.
    /// - Throws: `cycle`; the output then stays unchanged.
    public func setOutput(_ source: (any RenderSource)?) throws(GraphError) {
        guard source?.leads(to: self) != true else { throw .cycle }
        change(output: source)
    }

    public var renderedSources: [any RenderSource] { plan.value.output.map { [$0] } ?? [] }

    private func change(output: (any RenderSource)?) {
        plan.change { Plan(output: output, receivers: $0.receivers) }
    }

    /// Adds a receiver, which the graph calls before each slice from the next one on, after the receivers added
    /// earlier. A receiver that is added twice is called once.
    public func add(_ receiver: any TimingReceiver) {
        plan.change { plan in
            let others = plan.receivers.filter { $0 !== receiver }
            return Plan(output: plan.output, receivers: others + [receiver])
        }
    }

    /// Removes a receiver. The graph does not call it for slices that begin from now on.
    public func remove(_ receiver: any TimingReceiver) {
        plan.change { plan in Plan(output: plan.output, receivers: plan.receivers.filter { $0 !== receiver }) }
    }

    // MARK: Any thread

    /// The time from the call that requests a frame to the moment the frame plays, `0...1` hour. The owner of the
    /// device sets it.
    public var latency: Duration {
        get { .nanoseconds(nanosecondsOfLatency.load(ordering: .relaxed)) }
        set {
            let (seconds, attoseconds) = min(max(newValue, .zero), .seconds(3600)).components
            nanosecondsOfLatency.store(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, ordering: .relaxed)
        }
    }

    /// The number of frames that the output did not deliver and that were replaced by silence.
    public var underrunFrames: Int { underruns.load(ordering: .relaxed) }

    // MARK: The owner of the device

    /// Marks the graph as played by a device.
    /// - Returns: false if another device already plays the graph.
    package func beginPlaying() -> Bool { !isPlayed.exchange(true, ordering: .relaxed) }
    package func endPlaying() { isPlayed.store(false, ordering: .relaxed) }

    /// Sets the moment at which the first frame of the next call of `render` plays, as the device reports it. Called
    /// on the realtime thread before that call.
    package func expect(_ moment: HostTime) {
        latency = moment.duration(since: now())
        timer.pointee.expect(moment)
    }

    // MARK: The realtime thread

    public func render(into samples: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard turn.begin() else { return 0 }
        mark.enter()
        defer {
            mark.leave()
            turn.end()
        }
        return plan.withValue { plan in
            guard frames > 0 else {
                _ = plan.output?.render(into: samples, frames: 0, at: outputFrame)
                return 0
            }
            beginCall(frames: frames, at: outputFrame)
            var done = 0
            while done < frames {
                let count = min(frames - done, maximumSlice)
                renderSlice(plan, into: samples + done * format.channels, frames: count, from: outputFrame, done)
                done += count
            }
            return frames
        }
    }
}

extension RenderGraph {
    private func beginCall(frames: Int, at outputFrame: Int64) {
        guard case .measured = hostTimes else { return }
        let heard = now().nanoseconds.addingClamped(nanosecondsOfLatency.load(ordering: .relaxed))
        timer.pointee.begin(frame: outputFrame, frames: frames, measured: HostTime(nanoseconds: heard))
    }

    /// - Parameter done: the number of frames already rendered in the call that began at `start`.
    private func renderSlice(
        _ plan: Plan, into samples: UnsafeMutablePointer<Float>, frames: Int, from start: Int64, _ done: Int
    ) {
        let slice = stamp(start, done)
        clock.note(slice)
        // Not "for in", which allocates unless it is optimized.
        var receiver = 0
        while receiver < plan.receivers.count {
            plan.receivers[receiver].willRender(slice, frames: frames)
            receiver += 1
        }
        guard let output = plan.output else { return clear(samples, frames: frames) }
        let given = output.render(into: samples, frames: frames, at: slice.sampleTime)
        let rendered = min(max(0, given), frames)
        guard rendered < frames else { return }
        clear(samples + rendered * format.channels, frames: frames - rendered)
        underruns.add(frames - rendered, ordering: .relaxed)
    }

    private func clear(_ samples: UnsafeMutablePointer<Float>, frames: Int) {
        VectorOperations.clear(samples, count: frames * format.channels)
    }

    private func stamp(_ start: Int64, _ done: Int) -> AudioTimeStamp {
        let frame = start &+ Int64(done)
        switch hostTimes {
        case .measured: return AudioTimeStamp(sampleTime: frame, hostTime: timer.pointee.hostTime(at: done))
        case .nominal(let origin):
            let first = AudioTimeStamp(sampleTime: 0, hostTime: origin)
            return AudioTimeStamp(
                sampleTime: frame, hostTime: first.hostTime(at: frame, sampleRate: format.sampleRate))
        }
    }
}

extension RenderGraph: EventSource {
    /// Releases objects that were replaced while they were rendered.
    public func drainEvents() { plan.collect() }
}

/// An error that a graph throws when it rejects an edit.
public enum GraphError: Error, Sendable, Equatable {
    /// The source renders this graph, so the graph would be its own input.
    case cycle
}

/// An object that the graph calls on the realtime thread before it renders each slice. Apple's counterparts are the
/// render observers of `AUAudioUnit`.
///
/// ```swift
/// graph.add(scheduler)    // a BlockScheduler, a MessageExchange or one of your own
/// ```
public protocol TimingReceiver: AnyObject, Sendable {
    /// Prepares for the slice of `frames` frames that begins at `slice` and is rendered next. It must not lock,
    /// allocate, wait or make system calls.
    func willRender(_ slice: AudioTimeStamp, frames: Int)
}
