// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import Media
import Synchronization

/// What an input of a mixer begins with.
public struct MixerInputSettings: Sendable {
    /// 1 leaves the samples as they are.
    public var gain: Float = 1
    /// -1 left to +1 right; `PanLaw` says how loud either channel is.
    public var pan: Float = 0
    /// How long it takes to come, to go and to be muted; nothing is at once, and heard as a click.
    public var fade: Duration = .milliseconds(5)
    /// Whether what it adds is measured.
    public var isMetered = false

    public init(gain: Float = 1, pan: Float = 0, fade: Duration = .milliseconds(5), isMetered: Bool = false) {
        self.gain = gain
        self.pan = pan
        self.fade = fade
        self.isMetered = isMetered
    }
}

/// Adds up any number of sources, each with gain, pan and mute: what `AVAudioMixerNode` is elsewhere.
///
/// ```swift
/// let mixer = Mixer(for: graph)
/// graph.output = mixer
/// let chime = try mixer.add(chimeSource, MixerInputSettings(gain: 0.5, pan: -0.3))
/// try chime.setGain(0, over: .seconds(2), at: .sampleTime(96_000))
/// mixer.remove(chime)
/// ```
/// Inputs come and go while it renders: they fade, and are let go of on the event thread. One that comes short is
/// silent for the rest. The mix is not limited: a device clips it.
public final class Mixer: RenderSource {
    public let format: AudioFormat
    /// Measures the mix.
    public let meter: Meter

    private let clock: GraphClock?
    private let maximumFrames: Int
    private let plan = ManagedValue(Plan(inputs: []))
    private let solos = SoloCount()
    private let turn = RenderTurn()
    /// Inputs that have faded out and are still in the plan.
    private let departures = Atomic<Int>(0)
    /// The rendering thread alone uses them.
    private nonisolated(unsafe) let rendered: UnsafeMutablePointer<Float>
    private nonisolated(unsafe) let placed: UnsafeMutablePointer<Float>  // likewise

    private final class Plan: Sendable {
        let inputs: [MixerInput]
        init(inputs: [MixerInput]) { self.inputs = inputs }

        /// Not "for in": unless it is optimised, that allocates.
        func forEachInput(_ body: (MixerInput) -> Void) {
            var index = 0
            while index < inputs.count {
                body(inputs[index])
                index += 1
            }
        }
    }

    /// - Parameters:
    ///   - format: its rate, 1...2²⁴, and its channels, 1...1024; it is rendered as interleaved Float32.
    ///   - maximumFrames: what its inputs are asked for at once, 1...2²⁰.
    ///   - clock: by which moments become frames; without one changes begin at frames only.
    ///   - events: lets go of inputs that have left.
    public init(format: AudioFormat, maximumFrames: Int = 1024, clock: GraphClock? = nil, events: EventThread) {
        self.format = format.renderable
        self.maximumFrames = min(max(1, maximumFrames), AudioFormat.longestSlice)
        self.clock = clock
        meter = Meter(format: self.format)
        let samples = self.maximumFrames * self.format.channels
        rendered = .allocate(capacity: samples)
        rendered.initialize(repeating: 0, count: samples)
        placed = .allocate(capacity: samples)
        placed.initialize(repeating: 0, count: samples)
        events.attach(self)
    }

    /// A mixer of the graph's format, clock and event thread.
    public convenience init(for graph: RenderGraph) {
        self.init(format: graph.format, maximumFrames: graph.maximumSlice, clock: graph.clock, events: graph.events)
    }

    deinit {
        rendered.deallocate()
        placed.deallocate()
    }

    // MARK: Any thread but the realtime one

    /// The inputs there are, in the order they were added, those included that are fading out.
    public var inputs: [MixerInput] { plan.value.inputs }

    /// From the next slice on the source is heard, behind those added before it.
    /// - Parameter format: what `source` delivers: the mixer's rate, and its channels or one; `nil` is the mixer's
    ///   format.
    /// - Throws: `unsupported`, `notFinite`, `cycle`.
    @discardableResult
    public func add(
        _ source: any RenderSource, format: AudioFormat? = nil, _ settings: MixerInputSettings = MixerInputSettings()
    ) throws(MixerError) -> MixerInput {
        let format = format ?? self.format
        guard format.isRenderable, format.sampleRate == self.format.sampleRate,
            format.channels == 1 || format.channels == self.format.channels
        else { throw .unsupported(format) }
        guard settings.gain.isFinite, settings.pan.isFinite else { throw .notFinite }
        guard !source.leads(to: self) else { throw .cycle }
        let input = MixerInput(
            source, format: format, settings: settings, clock: clock, solos: solos,
            meter: settings.isMetered ? Meter(format: self.format) : nil)
        plan.change { Plan(inputs: $0.inputs + [input]) }
        return input
    }

    /// The input fades out, is then rendered no more, and let go of. Its handle stays valid and does nothing.
    public func remove(_ input: MixerInput) { input.leave() }

    public var renderedSources: [any RenderSource] { plan.value.inputs.map(\.source) }

    // MARK: The realtime thread

    public func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        guard turn.begin() else { return 0 }
        defer { turn.end() }
        return plan.withValue { plan in
            guard frames > 0 else {
                plan.forEachInput { _ = $0.source.render(into: output, frames: 0, at: outputFrame) }
                return 0
            }
            var done = 0
            while done < frames {
                let count = min(frames - done, maximumFrames)
                renderBlock(plan, MixBlock(
                    output: output + done * format.channels, rendered: rendered, placed: placed,
                    channels: format.channels, frames: count, frame: outputFrame &+ Int64(done)))
                done += count
            }
            return frames
        }
    }

    private func renderBlock(_ plan: Plan, _ mix: MixBlock) {
        VectorOperations.clear(mix.output, count: mix.frames * mix.channels)
        plan.forEachInput { input in
            if input.mix(into: mix) { departures.add(1, ordering: .releasing) }
        }
        meter.measure(mix.output, frames: mix.frames)
    }
}

/// Where one block of the mix is made.
struct MixBlock {
    let output: UnsafeMutablePointer<Float>
    /// What an input renders.
    let rendered: UnsafeMutablePointer<Float>
    /// What it sounds like in the mix.
    let placed: UnsafeMutablePointer<Float>
    /// Of the mix.
    let channels: Int
    let frames: Int
    /// The number of the first frame.
    let frame: Int64
}

extension Mixer: EventSource {
    /// Lets go of the inputs that have faded out.
    public func drainEvents() {
        if departures.exchange(0, ordering: .acquiring) > 0 {
            plan.change { Plan(inputs: $0.inputs.filter { !$0.hasLeft }) }
        }
        plan.collect()
    }
}
