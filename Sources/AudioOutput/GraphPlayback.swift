// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
import Media
import Synchronization

/// Plays a graph on a device: what `AVAudioEngine.start` and `stop` are elsewhere.
///
/// ```swift
/// let graph = RenderGraph(format: AudioFormat(sampleRate: 48_000, channels: 2))
/// graph.output = mixer
/// let playback = GraphPlayback(of: graph, on: PulseSink()) { print($0) }
/// try playback.start()
/// try await playback.finish()
/// ```
/// A graph gives every frame it is asked for, so the device never starves. Frame 0 is rendered when the device is known
/// to play: until then, a fraction of a second as a rule, the device is given silence. So the moments in time stamps
/// are those at which frames are heard, from the first slice on. Any thread but the realtime one.
public final class GraphPlayback: Sendable {
    public let graph: RenderGraph
    public let sink: any AudioSink
    private let handler: @Sendable (AudioSinkEvent) -> Void
    private let source: PlaybackSource
    /// `nil` for a sink without a device: what it pulls counts as heard.
    private let line: Mutex<HeardLine>?
    private let state = Mutex(State.new)
    /// Why the device is gone; `nil` as long as it is not. Set by its thread, which holds its lock.
    private let lost = Mutex<AudioOutputError?>(nil)
    let ending = PlaybackEnding()

    enum State {
        case new, open, closed
    }

    /// - Parameter handler: is told when the device is lost or unplugged; called from its threads, it returns at once.
    public init(
        of graph: RenderGraph, on sink: any AudioSink, handler: @escaping @Sendable (AudioSinkEvent) -> Void = { _ in }
    ) {
        (self.graph, self.sink, self.handler) = (graph, sink, handler)
        source = PlaybackSource(graph, follows: sink.hasDevice)
        line = sink.hasDevice ? Mutex(HeardLine(format: graph.format, at: graph.now())) : nil
        graph.events.attach(self)
    }

    deinit { if state.withLock({ $0 == .open }) { graph.endPlaying() } }

    /// Frames of the graph that were heard.
    public var heardFrames: Int64 { max(0, sink.heardFrames - source.offset) }

    /// Lets it sound, from the beginning or from where it was paused; where the device was lost, it is opened again.
    /// - Throws: when there is no device or it refuses the format; `refused` after `stop`, and where the graph is
    ///   played on another device.
    public func start() throws(AudioOutputError) {
        try open()
        standStill()
        sink.uncork()
        if ending.isWanted { sink.drain() }
    }

    private func open() throws(AudioOutputError) {
        try state.withLock { (state) throws(AudioOutputError) in
            guard state != .closed else { throw .refused(operation: "start", reason: "it was stopped for good") }
            let loss = lost.withLock { $0.take() }
            guard state == .new || loss != nil else { return }
            guard state == .open || graph.beginPlaying() else {
                throw .refused(operation: "start", reason: "the graph is played on another device")
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

    /// Stops the sound at once; `start` goes on with the next frame.
    public func pause() {
        sink.cork()
        standStill()
    }

    /// The device starts or stops: how long it stands still is not known.
    private func standStill() {
        // Not asked under the lock: the device's thread may hold the device's own.
        let (heard, now) = (sink.heardFrames, graph.now())
        line?.withLock { line in
            line.look(heard, at: now)
            line.standStill(at: now)
            source.close()
            _ = source.follow(line)
        }
    }

    /// Ends it at once; a file is completed. What the device holds and has not played is not heard any more: `finish`
    /// plays that, too.
    /// - Throws: when what was written could not be completed (disk full).
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
        // A graph does not starve; the device is not given frames before it plays.
        case .starved: return
        case .pulled, .unplugged: break
        }
        handler(event)
    }

    /// From now on the device is given no more frames; it plays those it has.
    func drain() throws(AudioOutputError) {
        source.end()
        try start()
    }

    /// Plays until `last` has given its last frame.
    func start(until last: StreamingSource) throws(AudioOutputError) {
        source.end(with: last)
        try start()
    }

    var loss: AudioOutputError? { lost.withLock { $0 } }
    var isOpen: Bool { state.withLock { $0 == .open } }
}

extension GraphPlayback: EventSource {
    /// Looks at which frame is heard, and tells the graph's clock. Not when the device pulls: it may not be asked on
    /// its own thread.
    public func drainEvents() {
        guard isOpen, sink.hasDevice else { return }
        let (heard, now) = (sink.heardFrames, graph.now())
        let goesOn = line?.withLock { line in
            let hasPlayed = line.isMoving
            line.look(heard, at: now)
            if hasPlayed, !line.isMoving { source.close() }
            let goesOn = source.follow(line)
            let point = AudioTimeStamp(
                sampleTime: line.point.sampleTime - source.offset, hostTime: line.point.hostTime)
            graph.clock.report(heard: max(0, line.heard - source.offset), line: point)
            return goesOn
        }
        if goesOn == true { sink.sourceRefilled() }
    }
}
