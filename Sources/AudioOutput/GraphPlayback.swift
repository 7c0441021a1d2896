// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
import Media
import Synchronization

/// Plays a graph on a device: what `AVAudioEngine.start` and `stop` are elsewhere.
///
/// ```swift
/// let graph = RenderGraph(format: AudioFormat(sampleRate: 48_000, channels: 2))
/// graph.output = mixer
/// let playback = GraphPlayback(of: graph, on: PulseSink(logger: logger)) { print($0) }
/// try playback.start()
/// ```
/// A graph gives every frame it is asked for, so the device never starves; it tells the graph how late what is rendered
/// is heard. Any thread but the realtime one.
public final class GraphPlayback: Sendable {
    public let graph: RenderGraph
    public let sink: any AudioSink
    private let handler: @Sendable (AudioSinkEvent) -> Void
    private let state = Mutex(State.new)
    /// The device is gone. Told by its thread, which holds its lock.
    private let isLost = Atomic<Bool>(false)

    private enum State {
        case new, open, closed
    }

    /// - Parameter handler: is told when the device is lost or unplugged; called from its threads, it returns at once.
    public init(
        of graph: RenderGraph, on sink: any AudioSink, handler: @escaping @Sendable (AudioSinkEvent) -> Void = { _ in }
    ) {
        (self.graph, self.sink, self.handler) = (graph, sink, handler)
        graph.events.attach(self)
    }

    /// Frames of the graph that were heard.
    public var heardFrames: Int64 { sink.heardFrames }

    /// Lets it sound, from the beginning or from where it was paused; where the device was lost, it is opened again.
    /// - Throws: when there is no device or it refuses the format; `refused` after `stop`.
    public func start() throws(AudioOutputError) {
        try state.withLock { (state) throws(AudioOutputError) in
            guard state != .closed else { throw .refused(operation: "start", reason: "it was stopped for good") }
            guard state == .new || isLost.exchange(false, ordering: .relaxed) else { return }
            do throws(AudioOutputError) {
                try sink.open(graph.format, pulling: graph) { [weak self] in self?.handle($0) }
                state = .open
            } catch {
                isLost.store(state == .open, ordering: .relaxed)
                throw error
            }
        }
        sink.uncork()
    }

    /// Stops the sound at once; `start` goes on with the next frame.
    public func pause() { sink.cork() }

    /// Ends it; a file is completed. What the device holds and has not played is not heard any more.
    /// - Throws: when what was written could not be completed (disk full).
    public func stop() throws(AudioOutputError) {
        let wasOpen = state.withLock { state in
            defer { state = .closed }
            return state == .open
        }
        guard wasOpen else { return }
        sink.cork()
        try sink.close()
    }

    private func handle(_ event: AudioSinkEvent) {
        if case .lost = event { isLost.store(true, ordering: .relaxed) }
        handler(event)
    }
}

extension GraphPlayback: EventSource {
    /// Corrects, an eighth at a time, by how much the latest slice will be heard earlier or later than the graph
    /// thinks. Not when the device pulls: it may not be asked on its own thread.
    public func drainEvents() {
        guard let slice = graph.clock.slice else { return }
        let ahead = graph.format.duration(ofFrames: slice.sampleTime - sink.heardFrames)
        let expected = slice.hostTime.duration(since: .now)
        graph.latency = graph.latency == .zero ? max(.zero, ahead) : graph.latency + (ahead - expected) / 8
    }
}
