// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
import Media
import Synchronization

/// Plays a graph on a device, like `AVAudioEngine.start` and `stop`.
///
/// ```swift
/// let graph = RenderGraph(format: AudioFormat(sampleRate: 48_000, channels: 2))
/// graph.output = mixer
/// let playback = GraphPlayback(of: graph, on: PulseSink()) { print($0) }
/// try playback.start()
/// try await playback.finish()
/// ```
/// A graph renders every requested frame, so the device never starves. Frame 0 is rendered when the device is known
/// to play; until then, usually a fraction of a second, the device is fed silence. So from the first slice on, the
/// times in time stamps are those at which the frames are played. Any thread except the realtime thread may call the
/// methods.
public final class GraphPlayback: Sendable {
    public let graph: RenderGraph
    public let sink: any AudioSink
    private let handler: @Sendable (AudioSinkEvent) -> Void
    private let source: PlaybackSource
    /// The timing of the device; `nil` for a sink without a device, where pulled frames count as played. The mutex
    /// itself is not optional, because unoptimized code copies an optional mutex when it looks for `nil`.
    private let line: Mutex<DeviceTimeline?>
    private let state = Mutex(State.new)
    /// The reason why the device was lost; `nil` if it was not. Set by the device's thread, which holds the device's
    /// lock.
    private let lost = Mutex<AudioOutputError?>(nil)
    let ending = PlaybackEnding()

    enum State {
        case new, open, closed
    }

    /// - Parameter handler: Called from the device's threads when the device is lost or unplugged; it must return
    ///   immediately.
    public init(
        of graph: RenderGraph, on sink: any AudioSink, handler: @escaping @Sendable (AudioSinkEvent) -> Void = { _ in }
    ) {
        (self.graph, self.sink, self.handler) = (graph, sink, handler)
        source = PlaybackSource(graph, follows: sink.hasDevice)
        line = Mutex(sink.hasDevice ? DeviceTimeline(format: graph.format, at: graph.now()) : nil)
        graph.events.attach(self)
    }

    deinit { if state.withLock({ $0 == .open }) { graph.endPlaying() } }

    /// The number of frames of the graph that were played.
    public var playedFrames: Int64 { max(0, sink.playedFrames - source.offset) }

    /// Starts playing from the beginning, or resumes where it was paused; a lost device is opened again.
    /// - Throws: An error if there is no device or it rejects the format; `refused` after `stop`, and if the graph is
    ///   played on another device.
    public func start() throws(AudioOutputError) {
        try open()
        recordStop()
        sink.uncork()
        if ending.isWanted { sink.drain() }
    }

    private func open() throws(AudioOutputError) {
        try state.withLock { (state) throws(AudioOutputError) in
            guard state != .closed else { throw .refused(operation: "start", reason: "it was stopped permanently") }
            let loss = lost.withLock { $0.take() }
            guard state == .new || loss != nil else { return }
            guard state == .open || graph.beginPlaying() else {
                throw .refused(operation: "start", reason: "the graph is playing on another device")
            }
            do throws(AudioOutputError) {
                try sink.open(graph.format, pulling: source) { [weak self] in self?.handle($0) }
                state = .open
            } catch {
                lost.withLock { $0 = loss }
                if state == .new { graph.endPlaying() }
                throw error
            }
        }
    }

    /// Stops the output immediately; `start` resumes with the next frame.
    public func pause() {
        sink.cork()
        recordStop()
    }

    /// Records that the device starts or stops, so that its standstill has an unknown duration.
    private func recordStop() {
        // Read without the lock, because the device's thread may hold the device's own lock.
        let (heard, now) = (sink.playedFrames, graph.now())
        line.withLock { timeline in
            guard var line = timeline else { return }
            line.update(heard, at: now)
            line.recordStop(at: now)
            source.close()
            _ = source.follow(line)
            timeline = line
        }
    }

    /// Stops playing immediately and completes a file. Frames that the device holds are not played; `finish` plays
    /// them.
    /// - Throws: An error if the written data could not be completed (disk full).
    public func stop() throws(AudioOutputError) {
        let wasOpen = state.withLock { state in
            defer { state = .closed }
            return state == .open
        }
        guard wasOpen else { return }
        defer {
            graph.endPlaying()
            ending.finish(.success(()))
        }
        sink.cork()
        try sink.close()
    }

    private func handle(_ event: AudioSinkEvent) {
        switch event {
        case .lost(let error):
            lost.withLock { $0 = error }
            ending.finish(.failure(error))
        case .drained: ending.finish(.success(()))
        // A graph does not starve; the device only gets no frames before it plays.
        case .starved: return
        case .pulled, .unplugged: break
        }
        handler(event)
    }

    /// Feeds no more frames to the device, which plays those it has.
    func drain() throws(AudioOutputError) {
        source.end()
        try start()
    }

    /// Plays until the last frame of `last`.
    func start(until last: StreamingSource) throws(AudioOutputError) {
        source.end(with: last)
        try start()
    }

    var loss: AudioOutputError? { lost.withLock { $0 } }
    var isOpen: Bool { state.withLock { $0 == .open } }
}

extension GraphPlayback: EventSource {
    /// Reads the number of played frames and updates the graph's clock. This does not happen when the device pulls,
    /// because the device may not be queried on its own thread.
    public func drainEvents() {
        guard isOpen else { return }
        let (heard, now) = (sink.playedFrames, graph.now())
        let goesOn = line.withLock { timeline in
            guard var line = timeline else { return false }
            defer { timeline = line }
            let hasPlayed = line.isMoving
            line.update(heard, at: now)
            if hasPlayed, !line.isMoving { source.close() }
            let goesOn = source.follow(line)
            let point = AudioTimeStamp(
                sampleTime: line.point.sampleTime - source.offset, hostTime: line.point.hostTime)
            graph.clock.report(heard: max(0, line.playedFrames - source.offset), line: point)
            return goesOn
        }
        if goesOn { sink.sourceRefilled() }
    }
}
