// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import Media
import Synchronization

/// A device in simulated time. It buffers frames ahead, starts with a delay, and its clock may drift.
final class SimulatedDevice: AudioSink {
    struct Behaviour: Sendable {
        /// The time from uncorking to the first played frame.
        var startDelay = Duration.milliseconds(40)
        /// The duration that the device buffers ahead.
        var buffer = Duration.milliseconds(200)
        /// The frames that the device plays per frame of the machine's clock.
        var drift = 1.0
        /// The granularity at which the device counts played frames.
        var step: Int64 = 1
    }

    private struct State {
        var source: (any RenderSource)?
        var events: @Sendable (AudioSinkEvent) -> Void = { _ in }
        /// The time at which playback started, and the frames played before.
        var startedAt: HostTime?
        var heardBefore: Int64 = 0
        var pulled: Int64 = 0
        var isDraining = false
        /// The time at which each frame of the device was played.
        var moments: [HostTime] = []
        var samples: [Float] = []
    }

    let nature: Behaviour
    private let state = Mutex(State())
    private let time = Atomic<Int64>(1_000_000_000_000)
    private let format = AudioFormat(sampleRate: 48_000, channels: 1)

    init(_ nature: Behaviour = Behaviour()) { self.nature = nature }

    var now: HostTime { HostTime(nanoseconds: time.load(ordering: .relaxed)) }
    /// The times at which the frames were played so far.
    var moments: [HostTime] { state.withLock { $0.moments } }
    /// The pulled samples.
    var samples: [Float] { state.withLock { $0.samples } }

    /// Advances the clock by a millisecond.
    func tick() {
        time.add(1_000_000, ordering: .relaxed)
        let news = state.withLock { state -> [AudioSinkEvent] in
            guard let source = state.source, state.startedAt != nil else { return [] }
            let heard = exactHeard(state)
            while state.moments.count < heard { state.moments.append(now) }
            let room = heard + format.frames(in: nature.buffer) - state.pulled
            if room > 480 { pull(Int(room), from: source, &state) }
            guard state.isDraining, heard == state.pulled else { return [] }
            state.isDraining = false
            return [.drained]
        }
        for event in news { state.withLock { $0.events }(event) }
    }

    /// Loses the device with its buffered frames, which are requested again later.
    func disconnect() {
        let tell = state.withLock { state in
            stop(&state)
            state.source = nil
            return state.events
        }
        tell(.lost(.noServer("gone")))
    }

    private func pull(_ frames: Int, from source: any RenderSource, _ state: inout State) {
        var block = [Float](repeating: 0, count: frames)
        let rendered = source.render(into: &block, frames: frames, at: state.pulled)
        state.samples += block.prefix(rendered)
        state.pulled += Int64(rendered)
    }

    private func exactHeard(_ state: State) -> Int64 {
        guard let start = state.startedAt, now > start else { return state.heardBefore }
        let time = now.duration(since: start)
        let frames = Double(format.frames(in: time)) * nature.drift
        return min(state.pulled, state.heardBefore + Int64(frames))
    }

    private func stop(_ state: inout State) {
        state.heardBefore = exactHeard(state)
        state.startedAt = nil
        state.isDraining = false
    }

    func open(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void
    ) throws(AudioOutputError) {
        state.withLock { ($0.source, $0.events) = (source, events) }
    }

    func uncork() {
        state.withLock { state in
            guard let source = state.source, state.startedAt == nil else { return }
            state.startedAt = now.advanced(by: nature.startDelay)
            let room = state.heardBefore + format.frames(in: nature.buffer) - state.pulled
            if room > 0 { pull(Int(room), from: source, &state) }
        }
    }

    func cork() { state.withLock { stop(&$0) } }
    func flush() {}
    func takeBack(keeping lead: Duration) -> Int64 { state.withLock { $0.pulled } }
    func sourceRefilled() {}
    func drain() { state.withLock { $0.isDraining = true } }
    var playedFrames: Int64 { state.withLock { exactHeard($0) / nature.step * nature.step } }
    func close() throws(AudioOutputError) { state.withLock { $0.source = nil } }
}
