// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import AudioOutput
public import Media
import Synchronization

/// A device whose time its owner makes pass. Like a sound server's it takes some frames in advance, the moment it is
/// let run; those are not heard yet, and a flush throws them away.
///
/// It has no thread: it pulls in the thread that lets it, whoever that is.
public final class VirtualDevice: AudioSink {
    /// What the device has done since the last flush, and altogether.
    public struct Report: Sendable {
        /// How often it was flushed.
        public var flushes = 0
        public var isCorked = true
        /// All that the source will give was heard, and that was told.
        public var hasDrained = false
        /// Frames pulled, and of those heard, since the last flush.
        public var pulled: Int64 = 0
        public var heard: Int64 = 0
        /// The device has time left over, in which it will hear what comes.
        public var isWaiting = false
        /// When the first frame after the last flush was handed to it.
        public var firstPull: ContinuousClock.Instant?
    }

    private struct State {
        var report = Report()
        var source: (any RenderSource)?
        var tell: (@Sendable (AudioSinkEvent) -> Void)?
        var format = AudioFormat(sampleRate: 44100, channels: 2)
        /// The device's frame at the last flush.
        var origin: Int64 = 0
        /// Frames since then that may have been heard by now.
        var due: Int64 = 0
        var isDraining = false
        var isShort = false
        var samples: [Float] = []
    }

    private static let mostPulledAtOnce = 1024
    private let state = Mutex(State())
    private let advance: Int64
    private let keepsSamples: Bool
    /// Signalled whenever something was pulled, flushed or drained.
    public let changed = WakeSignal()

    /// - Parameters:
    ///   - advance: frames it holds beyond what is heard.
    ///   - keepsSamples: what it pulls is there to be taken.
    public init(advance: Int64 = 2048, keepsSamples: Bool) {
        self.advance = advance
        self.keepsSamples = keepsSamples
    }

    public var report: Report { state.withLock { $0.report } }

    /// Lets the time of `frames` pass; on a corked device none does.
    public func pass(_ frames: Int64) {
        change { state in
            if !state.report.isCorked { state.due = state.report.heard + frames }
        }
    }

    /// The samples pulled since they were last taken, or since the last flush.
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

    public func sourceRefilled() { change { _ in } }
    public func drain() { change { $0.isDraining = true } }
    public var heardFrames: Int64 { state.withLock { $0.origin + $0.report.heard } }

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

    /// Moves on what is heard, and tells what came of it.
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
