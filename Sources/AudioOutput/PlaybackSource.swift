// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Synchronization

/// The source through which a device pulls a graph. The graph renders only while the time at which a frame is played
/// is known.
///
/// The startup time of a device is unknown until it plays. So a device that starts is fed silence until it plays, and
/// then the graph's frame 0. A device that resumes still has the frames from before the pause, and gets no more until
/// it plays. Both waits are limited.
final class PlaybackSource: RenderSource {
    private let graph: RenderGraph
    /// True if there is a device to follow; without one, every frame is rendered when it is pulled.
    private let follows: Bool
    private let gate = Atomic<Int>(open)
    /// A frame of the device and the time at which it is played, in nanoseconds.
    private let point = Atomic<WordPair>(WordPair(first: 0, second: 0))
    private let playedFrames = Atomic<Int64>(0)
    private let last = ManagedValue(Last(nil))
    // Written by the rendering thread.
    private let silentFrames = Atomic<Int64>(0)
    private let hasRendered = Atomic<Bool>(false)
    /// The time of the first pull through a closed gate, in nanoseconds; 0 while it is open.
    private let closedSince = Atomic<Int64>(0)

    private final class Last: Sendable {
        let source: StreamingSource?
        init(_ source: StreamingSource?) { self.source = source }
    }

    /// The maximum time for which the device is fed silence, or no frames. An idle sink may start after 2 s.
    private static let longestSilence: Int64 = 3_000_000_000
    private static let longestWait: Int64 = 500_000_000

    init(_ graph: RenderGraph, follows: Bool) {
        self.graph = graph
        self.follows = follows
    }

    var renderedSources: [any RenderSource] { [graph] }

    // MARK: Any thread except the realtime thread, one at a time

    /// Closes the gate, because the device starts or is about to stop.
    func close() {
        let next = hasRendered.load(ordering: .relaxed) ? waiting : silent
        closedSince.store(0, ordering: .relaxed)
        var now = gate.load(ordering: .relaxed)
        while now != ended {
            let (isDone, other) = gate.compareExchange(expected: now, desired: next, ordering: .releasing)
            if isDone { return }
            now = other
        }
    }

    /// Updates the state of the device.
    /// - Returns: True if it plays again, so that it must be notified of available frames.
    func follow(_ line: DeviceTimeline) -> Bool {
        let moment = UInt(bitPattern: Int(line.point.hostTime.nanoseconds))
        point.store(WordPair(first: UInt(bitPattern: Int(line.point.sampleTime)), second: moment), ordering: .releasing)
        playedFrames.store(line.playedFrames, ordering: .relaxed)
        let now = gate.load(ordering: .relaxed)
        guard line.isSteady, now == silent || now == waiting else { return false }
        // Rendering may have ended meanwhile.
        _ = gate.compareExchange(expected: now, desired: open, ordering: .releasing)
        return now == waiting
    }

    /// Ends rendering: the device gets no more frames.
    func end() { gate.store(ended, ordering: .releasing) }

    /// Ends rendering after the last frame of `source`.
    func end(with source: StreamingSource) { last.replace(with: Last(source)) }

    /// The number of the device's frames before the graph's frame 0.
    var offset: Int64 { silentFrames.load(ordering: .acquiring) }

    // MARK: The realtime thread

    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        let first = outputFrame - offset
        guard frames > 0 else { return graph.render(into: output, frames: 0, at: first) }
        let state = gate.load(ordering: .acquiring)
        if state == ended { return 0 }
        if state == silent, isClosed(atMost: Self.longestSilence) {
            output.update(repeating: 0, count: frames * graph.format.channels)
            silentFrames.add(Int64(frames), ordering: .releasing)
            return frames
        }
        let held = outputFrame - playedFrames.load(ordering: .relaxed)
        if state == waiting, held > Int64(graph.format.sampleRate / 10), isClosed(atMost: Self.longestWait) { return 0 }
        if state != open { _ = gate.compareExchange(expected: state, desired: open, ordering: .releasing) }
        hasRendered.store(true, ordering: .relaxed)
        if follows { graph.expect(moment(of: outputFrame)) }
        return render(into: output, frames: frames, from: first)
    }

    private func render(into output: UnsafeMutablePointer<Float>, frames: Int, from first: Int64) -> Int {
        let before = graph.underrunFrames
        let rendered = graph.render(into: output, frames: frames, at: first)
        guard last.withValue({ $0.source?.hasRenderedAll ?? false }) else { return rendered }
        gate.store(ended, ordering: .releasing)
        // The silence after the last frame does not belong to the source.
        return max(0, rendered - (graph.underrunFrames - before))
    }

    private func isClosed(atMost limit: Int64) -> Bool {
        let now = graph.now().nanoseconds
        let start = closedSince.load(ordering: .relaxed)
        if start == 0 { closedSince.store(now, ordering: .relaxed) }
        return start == 0 || now - start < limit
    }

    private func moment(of frame: Int64) -> HostTime {
        let words = point.load(ordering: .acquiring)
        let heard = AudioTimeStamp(
            sampleTime: Int64(bitPattern: UInt64(words.first)),
            hostTime: HostTime(nanoseconds: Int64(bitPattern: UInt64(words.second))))
        return heard.hostTime(at: frame, sampleRate: graph.format.sampleRate)
    }
}

// The states of the gate, as words: an atomic enum is converted by calls that allocate in unoptimized builds.
private let (open, silent, waiting, ended) = (0, 1, 2, 3)
