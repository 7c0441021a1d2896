// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import AudioOutput
public import Media
import Synchronization

/// A device whose time is advanced by its owner. Like a sound server, it pulls some frames in advance as soon as it
/// is uncorked; those are not played yet, and a flush discards them.
///
/// The device has no thread: it pulls in the thread that calls its methods.
public final class VirtualDevice: AudioSink {
    /// The state of the device since the last flush, and its total number of flushes.
    public struct Report: Sendable {
        /// The number of flushes.
        public var flushes = 0
        public var isCorked = true
        /// True if the device has played all frames of the source and reported that.
        public var hasDrained = false
        /// The frames pulled, and the frames played, since the last flush.
        public var pulled: Int64 = 0
        public var heard: Int64 = 0
        /// True if the device has time left, in which it will play further frames.
        public var isWaiting = false
        /// The time at which the device received the first frame after the last flush.
        public var firstPull: ContinuousClock.Instant?
    }

    private struct State {
        var report = Report()
        var source: (any RenderSource)?
        var tell: (@Sendable (AudioSinkEvent) -> Void)?
        var format = AudioFormat(sampleRate: 44100, channels: 2)
        /// The device's frame at the last flush.
        var origin: Int64 = 0
        /// The number of frames since then that may have been played by now.
        var due: Int64 = 0
        var isDraining = false
        var isShort = false
        var samples: [Float] = []
    }

    private static let mostPulledAtOnce = 1024
    private let state = Mutex(State())
    private let advance: Int64
    private let keepsSamples: Bool
    /// Signalled whenever frames were pulled, flushed or drained.
    public let changed = WakeSignal()

    /// - Parameters:
    ///   - advance: The number of frames that it buffers in advance.
    ///   - keepsSamples: True if the pulled samples can be taken.
    public init(advance: Int64 = 2048, keepsSamples: Bool) {
        self.advance = advance
        self.keepsSamples = keepsSamples
    }

    /// The current state of the device.
    public var report: Report { state.withLock { $0.report } }

    /// Advances the time by `frames`; the time of a corked device does not advance.
    public func pass(_ frames: Int64) {
        change { state in
            if !state.report.isCorked { state.due = state.report.heard + frames }
        }
    }

    /// Returns the samples pulled since they were last taken, or since the last flush.
    public func takeSamples() -> [Float] {
        state.withLock { state in
            defer { state.samples = [] }
            return state.samples
        }
    }

    // MARK: AudioSink

    public func open(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void
    ) throws(AudioOutputError) {
        change { state in
            state.format = format
            state.source = source
            state.tell = events
        }
    }

    public func uncork() { change { $0.report.isCorked = false } }

    public func cork() {
        change { state in
            state.report.isCorked = true
            state.isDraining = false
        }
    }

    public func flush() {
        change { state in
            state.origin += state.report.heard
            state.report = Report(flushes: state.report.flushes + 1, isCorked: state.report.isCorked)
            state.due = 0
            state.isDraining = false
            state.samples.removeAll(keepingCapacity: true)
            var nothing: Float = 0
            _ = state.source?.render(into: &nothing, frames: 0, at: state.origin)
        }
    }

    public func takeBack(keeping lead: Duration) -> Int64 {
        state.withLock { $0.origin + $0.report.pulled }
    }

    public func sourceRefilled() { change { _ in } }
    public func drain() { change { $0.isDraining = true } }
    public var playedFrames: Int64 { state.withLock { $0.origin + $0.report.heard } }

    public func close() {
        change { state in
            state.source = nil
            state.tell = nil
        }
    }
}

extension VirtualDevice {
    private func change(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            pull(&state)
            hear(&state)
        }
        changed.signal()
    }

    private func pull(_ state: inout State) {
        guard !state.report.isCorked, let source = state.source else { return }
        while case let room = state.due + advance - state.report.pulled, room > 0 {
            let wanted = min(Self.mostPulledAtOnce, Int(room))
            let got = pull(wanted, from: source, &state)
            if got > 0 { state.tell?(.pulled) }
            state.isShort = got < wanted
            if state.isShort { return }
        }
    }

    private func pull(_ wanted: Int, from source: any RenderSource, _ state: inout State) -> Int {
        let frame = state.origin + state.report.pulled
        let channels = state.format.channels
        let block = [Float](unsafeUninitializedCapacity: wanted * channels) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = source.render(into: start, frames: wanted, at: frame) * channels
        }
        guard !block.isEmpty else { return 0 }
        if state.report.firstPull == nil { state.report.firstPull = .now }
        state.report.pulled += Int64(block.count / channels)
        if keepsSamples { state.samples += block }
        return block.count / channels
    }

    /// Advances the number of played frames, and reports the resulting events.
    private func hear(_ state: inout State) {
        let before = state.report.heard
        state.report.heard = max(before, min(state.report.pulled, state.due))
        state.report.isWaiting = state.report.heard < state.due
        guard state.isShort, !state.report.isCorked, state.report.isWaiting else { return }
        if state.isDraining {
            state.isDraining = false
            state.report.hasDrained = true
            state.tell?(.drained)
        } else if state.report.heard > before {
            state.tell?(.starved)
        }
    }
}
