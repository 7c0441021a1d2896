// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import EarshotTestSupport
import Media
import Synchronization

/// A sink without a thread. The sink pulls in the caller's thread, up to its allowance, when it is uncorked, when its
/// source is refilled and when its allowance grows, and keeps the samples. Pulled frames count as played, except the
/// last `held` frames.
final class CapturingSink: AudioSink {
    enum Call: Equatable { case open, uncork, cork, flush, takeBack, drain, close }

    private struct State {
        var source: (any RenderSource)?
        var tell: (@Sendable (AudioSinkEvent) -> Void)?
        var format: AudioFormat?
        var isCorked = true
        var isDraining = false
        var isShort = false
        var isHeld = false
        var isSuspended = false
        /// The frames that the sink may still pull; `nil`: no limit.
        var allowance: Int?
        var samples: [Float] = []
        var pulled: Int64 = 0
        var heard: Int64 = 0
        var calls: [Call] = []
        var looks = 0
        /// The errors that the next calls of `open` throw, one each.
        var refusals: [AudioOutputError] = []
    }

    private let state: Mutex<State>
    private let failure: AudioOutputError?
    private let held: Int64
    let isPaced: Bool
    let hasDevice: Bool
    let longestFadeIn: Duration

    /// - Parameters:
    ///   - allowance: The frames that the sink may pull before `allow` is called; `nil`: no limit.
    ///   - failure: The error that every call of `open` throws.
    ///   - held: The number of pulled frames that are not played yet, as in a device's buffer.
    ///   - longestFadeIn: The longest fade after `discard`, which this sink does not make.
    init(
        allowance: Int? = nil, failure: AudioOutputError? = nil, holding held: Int64 = 0, isPaced: Bool = true,
        hasDevice: Bool = true, longestFadeIn: Duration = .zero
    ) {
        self.longestFadeIn = longestFadeIn
        (self.isPaced, self.hasDevice) = (isPaced, hasDevice)
        self.held = held
        state = Mutex(State(allowance: allowance))
        self.failure = failure
    }

    // MARK: Observation and control by a test

    var samples: [Float] { state.withLock { $0.samples } }
    var frames: Int64 { state.withLock { $0.pulled } }
    var format: AudioFormat? { state.withLock { $0.format } }
    var isCorked: Bool { state.withLock { $0.isCorked } }
    /// The number of times `heardFrames` was read.
    var looks: Int { state.withLock { $0.looks } }
    var calls: [Call] { state.withLock { $0.calls } }

    /// Lets the sink pull `frames` more; `nil` removes the limit.
    func allow(_ frames: Int?) {
        change { state in
            state.allowance = frames.map { ($0 + (state.allowance ?? 0)) }
            pull(&state)
        }
    }

    /// True while the device is suspended.
    var isSuspended: Bool {
        get { state.withLock { $0.isSuspended } }
        set { state.withLock { $0.isSuspended = newValue } }
    }

    /// Lets the sink pull up to `frames` now, and no more afterwards.
    /// - Returns: The pulled samples.
    func pull(_ frames: Int) -> [Float] {
        state.withLock { state in
            let before = state.samples.count
            state.allowance = frames
            pull(&state)
            state.allowance = 0
            return Array(state.samples[before...])
        }
    }

    /// Reports that the device has disappeared. Frames that were pulled but not played are played after the next
    /// `open`.
    func disconnect(_ error: AudioOutputError) {
        let tell = state.withLock { state in
            defer { (state.tell, state.isCorked, state.isDraining) = (nil, true, false) }
            return state.tell
        }
        tell?(.lost(error))
    }

    /// Reports that the device was unplugged and another one replaced it.
    func unplug() {
        let tell = state.withLock { state in
            state.isCorked = true
            return state.tell
        }
        tell?(.unplugged)
    }

    /// Makes the next calls of `open` fail, one error each.
    func refuse(_ errors: AudioOutputError...) { state.withLock { $0.refusals = errors } }
    var refusalsLeft: Int { state.withLock { $0.refusals.count } }

    // MARK: AudioSink

    func open(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void
    ) throws(AudioOutputError) {
        if let failure { throw failure }
        if let refusal = state.withLock({ $0.refusals.isEmpty ? nil : $0.refusals.removeFirst() }) { throw refusal }
        change(.open) { state in
            state.format = format
            state.source = source
            state.tell = events
        }
    }

    func uncork() {
        change(.uncork) { state in
            state.isCorked = state.tell == nil
            pull(&state)
        }
    }

    func cork() {
        change(.cork) { state in
            state.isCorked = true
            state.isDraining = false
        }
    }

    func flush() {
        change(.flush) { state in
            state.isDraining = false
            state.samples.removeLast(Int(state.pulled - state.heard) * (state.format?.channels ?? 0))
            state.pulled = state.heard
            var nothing: Float = 0
            _ = state.source?.pull(into: &nothing, frames: 0, at: state.pulled)
        }
    }

    /// Takes back all frames that are not played yet.
    func takeBack(keeping lead: Duration) -> Int64 {
        change(.takeBack) { state in
            (state.isHeld, state.isDraining) = (true, false)
            state.samples.removeLast(Int(state.pulled - state.heard) * (state.format?.channels ?? 0))
            state.pulled = state.heard
        }
        return frames
    }

    func sourceRefilled() {
        change { state in
            state.isHeld = false
            pull(&state)
        }
    }

    func drain() {
        change(.drain) { state in
            state.isDraining = true
            pull(&state)
        }
    }

    var playedFrames: Int64 {
        state.withLock { state in
            state.looks += 1
            return state.heard
        }
    }

    func close() {
        change(.close) { state in
            state.source = nil
            state.tell = nil
        }
    }

    private func change(_ call: Call? = nil, _ body: (inout State) -> Void) {
        state.withLock { state in
            if let call { state.calls.append(call) }
            body(&state)
        }
    }

    private func pull(_ state: inout State) {
        guard !state.isCorked, !state.isHeld, let source = state.source, let channels = state.format?.channels else {
            return
        }
        while case let wanted = min(4096, state.allowance ?? .max), wanted > 0 {
            let pulled = state.pulled
            let block = [Float](unsafeUninitializedCapacity: wanted * channels) { buffer, count in
                guard let start = buffer.baseAddress else { return }
                count = source.pull(into: start, frames: wanted, at: pulled) * channels
            }
            let got = block.count / channels
            state.samples += block
            state.pulled += Int64(got)
            state.heard = max(state.heard, state.pulled - held)
            state.allowance = state.allowance.map { $0 - got }
            if got > 0 { state.tell?(.pulled) }
            if got < wanted { return cameBackShort(&state, got) }
            state.isShort = false
        }
    }

    private func cameBackShort(_ state: inout State, _ got: Int) {
        let isNews = !state.isShort || got > 0
        state.isShort = true
        if state.isDraining {
            state.isDraining = false
            state.heard = state.pulled
            state.tell?(.drained)
        } else if isNews {
            state.tell?(.starved)
        }
    }
}
