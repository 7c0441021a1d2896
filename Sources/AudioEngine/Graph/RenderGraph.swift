// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import Media
import Synchronization

/// The root of a graph: what a device or an `OfflineRenderer` pulls from. It gives every frame it is asked for, silence
/// where its output comes short, in slices of a bounded length, and tells the time of each.
///
/// ```swift
/// let graph = RenderGraph(format: AudioFormat(sampleRate: 48_000, channels: 2))
/// let mixer = Mixer(for: graph)
/// graph.output = mixer
/// try sink.open(graph.format, pulling: graph) { _ in }
/// ```
/// It takes the place of `AVAudioEngine`, and its timeline counts the frames that the device has taken.
public final class RenderGraph: RenderSource {
    /// Where the moments in time stamps come from.
    public enum HostTimes: Sendable {
        /// What the device says, if the graph is played by a `GraphPlayback`; otherwise the clock at the time of the
        /// call plus `latency`, smoothed (`SliceTimer` says how).
        case measured
        /// Frame 0 is heard at this moment and the rest at the nominal rate: the same in each run.
        case nominal(origin: HostTime)
    }

    public let format: AudioFormat
    /// The most frames its parts are asked for at once.
    public let maximumSlice: Int
    public let clock: GraphClock
    /// Tells what happened on the realtime thread, for all parts of the graph.
    public let events: EventThread

    private let hostTimes: HostTimes
    private let plan: ManagedValue<Plan>
    private let nanosecondsOfLatency = Atomic<Int64>(0)
    private let underruns = Atomic<Int>(0)
    /// The rendering thread alone dereferences it.
    private nonisolated(unsafe) let timer: UnsafeMutablePointer<SliceTimer>
    private let mark = RenderMark()
    private let turn = RenderTurn()
    private let isPlayed = Atomic<Bool>(false)
    /// The time; tests and clocks that are not the machine's have their own.
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
    ///   - format: its rate, 1...2²⁴, and its channels, 1...1024; it is rendered as interleaved Float32.
    ///   - maximumSlice: PCM frames, 1...2²⁰.
    ///   - events: the graph attaches itself; `EventThread(every: nil)` tells only when it is drained.
    ///   - now: the time, for tests and for clocks that are not the machine's. Called on the realtime thread, too.
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

    /// What is heard, in the graph's format; `nil` is silence. Another one is heard from the next slice on, at once:
    /// a `Mixer` as the output is what fades. A source that renders this graph is not taken, and the output stays;
    /// `setOutput` throws then.
    public var output: (any RenderSource)? {
        get { plan.value.output }
        set { if newValue?.leads(to: self) != true { change(output: newValue) } }
    }

    /// Changes the output.
    /// - Throws: `cycle`, and the output stays.
    public func setOutput(_ source: (any RenderSource)?) throws(GraphError) {
        guard source?.leads(to: self) != true else { throw .cycle }
        change(output: source)
    }

    public var renderedSources: [any RenderSource] { plan.value.output.map { [$0] } ?? [] }

    private func change(output: (any RenderSource)?) {
        plan.change { Plan(output: output, receivers: $0.receivers) }
    }

    /// From the next slice on the receiver is told of each, behind those added before it. Added twice it is told once.
    public func add(_ receiver: any TimingReceiver) {
        plan.change { plan in
            let others = plan.receivers.filter { $0 !== receiver }
            return Plan(output: plan.output, receivers: others + [receiver])
        }
    }

    /// The receiver is told of no slice that begins from now on.
    public func remove(_ receiver: any TimingReceiver) {
        plan.change { plan in Plan(output: plan.output, receivers: plan.receivers.filter { $0 !== receiver }) }
    }

    // MARK: Any thread

    /// How long after the call for it a frame is heard, `0...1` hour; set by whoever owns the device.
    public var latency: Duration {
        get { .nanoseconds(nanosecondsOfLatency.load(ordering: .relaxed)) }
        set {
            let (seconds, attoseconds) = min(max(newValue, .zero), .seconds(3600)).components
            nanosecondsOfLatency.store(seconds * 1_000_000_000 + attoseconds / 1_000_000_000, ordering: .relaxed)
        }
    }

    /// Frames that the output owed and that became silence.
    public var underrunFrames: Int { underruns.load(ordering: .relaxed) }

    // MARK: Who owns the device

    /// - Returns: false where another device plays the graph already.
    package func beginPlaying() -> Bool { !isPlayed.exchange(true, ordering: .relaxed) }
    package func endPlaying() { isPlayed.store(false, ordering: .relaxed) }

    /// The realtime thread, before a call of `render`: its first frame is heard at this moment, as the device says.
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

    /// - Parameter done: frames of the call that began at `start` and are rendered already.
    private func renderSlice(
        _ plan: Plan, into samples: UnsafeMutablePointer<Float>, frames: Int, from start: Int64, _ done: Int
    ) {
        let slice = stamp(start, done)
        clock.note(slice)
        // Not "for in": unless it is optimised, that allocates.
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
    /// Lets go of what was replaced while it was rendered.
    public func drainEvents() { plan.collect() }
}
