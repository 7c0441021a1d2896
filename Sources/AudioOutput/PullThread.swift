// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Synchronization

/// The thread of a sink without a device: it pulls frames from a source, in real time or as fast as the source
/// renders, and passes them on. Pulled frames count as played.
final class PullThread: Sendable {
    private struct State {
        var source: (any RenderSource)?
        var isCorked = true
        var supply = SourceState.flowing
        var isDraining = false
        /// True from `takeBack` until the source has frames again.
        var isHeld = false
        var isClosing = false
        var pulled: Int64 = 0
        var thread: WorkerThread?
    }

    private enum SourceState {
        case flowing
        /// The source returned fewer frames than requested, and `starved` was reported.
        case dry
    }

    private enum Turn {
        case idle, pull, closing
    }

    let pace: NullSink.Pace
    private let state = Mutex(State())
    private let wake = WakeSignal()
    private let mark = RenderMark()

    init(pace: NullSink.Pace) { self.pace = pace }

    /// Starts the thread, corked.
    /// - Parameter consume: Called on the thread with each block of interleaved samples.
    func start(
        _ format: AudioFormat, pulling source: any RenderSource,
        events: @escaping @Sendable (AudioSinkEvent) -> Void,
        consume: @escaping @Sendable (UnsafeBufferPointer<Float>) throws(AudioOutputError) -> Void
    ) throws(AudioOutputError) {
        let started = state.withLock { state in
            guard state.thread == nil, !state.isClosing else { return false }
            state.source = source
            state.thread = WorkerThread.start { self.run(format, events: events, consume: consume) }
            return state.thread != nil
        }
        guard !started else { return }
        throw .refused(operation: "start a thread", reason: "it is already running, or the system has too many threads")
    }

    /// Starts pulling, and asks the source again even if it was dry.
    func uncork() {
        change { state in
            state.isCorked = false
            state.supply = .flowing
        }
    }

    func cork() {
        change { state in
            state.isCorked = true
            state.isDraining = false
        }
    }

    func flush() {
        change { state in
            state.isDraining = false
            if let source = state.source { mark.flush(source, at: state.pulled) }
        }
    }

    /// Stops pulling until `sourceRefilled`. Pulled frames count as played, so none are taken back.
    func takeBack() -> Int64 {
        state.withLock { state in
            (state.isHeld, state.isDraining) = (true, false)
            return state.pulled
        }
    }

    func sourceRefilled() {
        change { state in
            (state.supply, state.isHeld) = (.flowing, false)
        }
    }

    func drain() {
        change { state in
            state.isDraining = true
            state.supply = .flowing
        }
    }

    var heardFrames: Int64 { state.withLock { $0.pulled } }

    /// Stops and joins the thread.
    func close() {
        let thread = state.withLock { state in
            state.isClosing = true
            defer { state.thread = nil }
            return state.thread
        }
        wake.signal()
        thread?.join()
        state.withLock { $0.source = nil }
    }
}

extension PullThread {
    private func change(_ body: (inout State) -> Void) {
        state.withLock { body(&$0) }
        wake.signal()
    }

    private func run(
        _ format: AudioFormat, events: @Sendable (AudioSinkEvent) -> Void,
        consume: @Sendable (UnsafeBufferPointer<Float>) throws(AudioOutputError) -> Void
    ) {
        let capacity = pace == .realTime ? format.sampleRate / 50 : 4096
        let block = UnsafeMutablePointer<Float>.allocate(capacity: capacity * format.channels)
        defer { block.deallocate() }
        var pacer = Pacer(format: format)
        while true {
            guard waitUntilDue(&pacer) else { return }
            switch state.withLock({ Self.turn($0) }) {
            case .closing: return
            case .idle:
                pacer.pause(at: Self.now)
                wake.wait(atMost: .seconds(60))
            case .pull:
                guard isPrepared(for: capacity) else { continue }
                let (frames, news) = pull(into: block, capacity: capacity)
                pacer.didPull(frames, at: Self.now)
                do throws(AudioOutputError) {
                    try consume(UnsafeBufferPointer(start: block, count: frames * format.channels))
                } catch {
                    return events(.lost(error))
                }
                if frames > 0 { events(.pulled) }
                if let news { events(news) }
            }
        }
    }

    /// - Returns: False if the thread must end.
    private func waitUntilDue(_ pacer: inout Pacer) -> Bool {
        guard pace == .realTime else { return true }
        while !state.withLock({ $0.isClosing }) {
            let delay = pacer.delay(at: Self.now)
            if delay <= .zero { return true }
            wake.wait(atMost: delay)
        }
        return false
    }

    /// Lets the source read ahead, which may wait, unless the pace is real time.
    private func isPrepared(for frames: Int) -> Bool {
        guard pace == .asFastAsPossible, let source = state.withLock({ $0.source }) else { return true }
        return source.prepareToRender(frames: frames)
    }

    private static func turn(_ state: borrowing State) -> Turn {
        if state.isClosing { return .closing }
        return state.isCorked || state.isHeld || state.supply == .dry || state.source == nil ? .idle : .pull
    }

    /// Pulls one block, if pulling is still allowed. The lock is held meanwhile, so that a flush or a cork takes
    /// effect between two blocks.
    private func pull(
        into block: UnsafeMutablePointer<Float>, capacity: Int
    ) -> (frames: Int, news: AudioSinkEvent?) {
        state.withLock { state in
            guard Self.turn(state) == .pull, let source = state.source else { return (0, nil) }
            let frames = mark.render(source, into: block, frames: capacity, at: state.pulled)
            state.pulled += Int64(frames)
            return (frames, Self.news(&state, isShort: frames < capacity))
        }
    }

    private static func news(_ state: inout State, isShort: Bool) -> AudioSinkEvent? {
        guard isShort else {
            state.supply = .flowing
            return nil
        }
        // Reported each time, so that the player knows that the refilled frames were not enough.
        state.supply = .dry
        if state.isDraining {
            state.isDraining = false
            return .drained
        }
        return .starved
    }

    private static var now: Duration { .nanoseconds(HostTime.now.nanoseconds) }
}
