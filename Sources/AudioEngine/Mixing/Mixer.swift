// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
public import Media
import Synchronization

/// The initial settings of a mixer input.
public struct MixerInputSettings: Sendable {
    /// The gain; 1 leaves the samples unchanged.
    public var gain: Float = 1
    /// The pan, from -1 (left) to +1 (right); `PanLaw` defines the gain of each channel.
    public var pan: Float = 0
    /// The duration of the fade when the input is added, removed, muted or unmuted; 0 takes effect immediately and
    /// causes a click.
    public var fade: Duration = .milliseconds(5)
    /// True if the mixer measures the input's contribution to the mix.
    public var isMetered = false

    public init(gain: Float = 1, pan: Float = 0, fade: Duration = .milliseconds(5), isMetered: Bool = false) {
        self.gain = gain
        self.pan = pan
        self.fade = fade
        self.isMetered = isMetered
    }
}

/// A source that adds up any number of sources, each with gain, pan and mute. Apple's counterpart is
/// `AVAudioMixerNode`.
///
/// ```swift
/// let mixer = Mixer(for: graph)
/// graph.output = mixer
/// let chime = try mixer.add(chimeSource, MixerInputSettings(gain: 0.5, pan: -0.3))
/// try chime.setGain(0, over: .seconds(2), at: .sampleTime(96_000))
/// mixer.remove(chime)
/// ```
/// Inputs can be added and removed while the mixer renders: they fade, and the event thread releases them. An input
/// that delivers too few frames is silent for the rest. The mixer does not limit the sum; the device clips it.
public final class Mixer: RenderSource {
    public let format: AudioFormat
    /// The meter of the mix.
    public let meter: Meter

    private let clock: GraphClock?
    private let maximumFrames: Int
    private let plan = ManagedValue(Plan(inputs: []))
    private let solos = SoloCount()
    private let turn = RenderTurn()
    /// The number of inputs that have faded out and are still in the plan.
    private let departures = Atomic<Int>(0)
    /// Dereferenced only while `render` holds `turn`, which admits one call at a time.
    private nonisolated(unsafe) let rendered: UnsafeMutablePointer<Float>
    private nonisolated(unsafe) let placed: UnsafeMutablePointer<Float>  // likewise

    private final class Plan: Sendable {
        let inputs: [MixerInput]
        init(inputs: [MixerInput]) { self.inputs = inputs }

        /// Calls `body` for each input. Not "for in", which allocates unless it is optimized.
        func forEachInput(_ body: (MixerInput) -> Void) {
            var index = 0
            while index < inputs.count {
                body(inputs[index])
                index += 1
            }
        }
    }

    /// - Parameters:
    ///   - format: the rate, 1...2²⁴, and the channels, 1...1024; the mixer renders interleaved Float32.
    ///   - maximumFrames: the maximum number of frames requested from an input in one call, 1...2²⁰.
    ///   - clock: converts moments to frames; without a clock, changes can begin only at frames.
    ///   - events: releases inputs that were removed.
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

    /// Creates a mixer with the graph's format, clock and event thread.
    public convenience init(for graph: RenderGraph) {
        self.init(format: graph.format, maximumFrames: graph.maximumSlice, clock: graph.clock, events: graph.events)
    }

    deinit {
        rendered.deallocate()
        placed.deallocate()
    }

    // MARK: Any thread but the realtime one

    /// The current inputs in the order they were added, including inputs that are fading out.
    public var inputs: [MixerInput] { plan.value.inputs }

    /// Adds a source after the existing inputs; it plays from the next slice on.
    /// - Parameter format: the format of `source`: the mixer's rate, and either the mixer's channels or one channel;
    ///   `nil` is the mixer's format.
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

    /// Fades the input out, then stops rendering it and releases it. Its handle stays valid but has no effect.
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

/// The buffers and the position of one block of the mix.
struct MixBlock {
    let output: UnsafeMutablePointer<Float>
    /// The frames that an input renders.
    let rendered: UnsafeMutablePointer<Float>
    /// The frames of the input with gain and pan applied.
    let placed: UnsafeMutablePointer<Float>
    /// The number of channels of the mix.
    let channels: Int
    let frames: Int
    /// The number of the first frame.
    let frame: Int64
}

extension Mixer: EventSource {
    /// Releases the inputs that have faded out.
    public func drainEvents() {
        if departures.exchange(0, ordering: .acquiring) > 0 {
            plan.change { Plan(inputs: $0.inputs.filter { !$0.hasLeft }) }
        }
        plan.collect()
    }
}

/// An error that a mixer or one of its inputs throws.
public enum MixerError: Error, Sendable, Equatable {
    /// The source renders this mixer, so the mix would be its own input.
    case cycle
    /// The gain or the pan is NaN or infinite.
    case notFinite
    /// The input has neither the mixer's rate and channels nor that rate and one channel.
    case unsupported(AudioFormat)
    /// The maximum number of changes is already pending; this change was rejected.
    case tooManyChanges
    /// The change begins at a moment, but the mixer has no clock.
    case noClock
}
