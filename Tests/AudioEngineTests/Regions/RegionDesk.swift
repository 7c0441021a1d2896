// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Synchronization

/// A player without its own thread, and the events that it emitted.
final class RegionPlayerFixture {
    static let format = AudioFormat(sampleRate: 48_000, channels: 2)

    final class Reports: Sendable {
        let completions = Mutex<[RegionCompletion]>([])
        let events = Mutex<[RegionEvent]>([])
    }

    let reports = Reports()
    let events = EventThread(every: nil)
    let reading = EventThread(every: nil)
    let player: ScheduledFilePlayer
    /// The frame of the graph that is rendered next.
    var graphFrame: Int64

    init(
        late: LateStart = .skip, lead: Int = 0, capacity: Int = 1024, clock: GraphClock? = nil, graphFrame: Int64 = 0,
        now: @escaping @Sendable () -> HostTime = { HostTime(nanoseconds: 0) }
    ) {
        self.graphFrame = graphFrame
        player = ScheduledFilePlayer(
            format: Self.format, late: late, lead: lead, capacity: capacity, clock: clock, events: events,
            reading: reading, onEvent: { [reports] event in reports.events.withLock { $0.append(event) } }, now: now)
    }

    @discardableResult
    func schedule(
        _ region: FileRegion, kinds: Set<RegionCompletion.Kind> = [.rendered]
    ) throws(RegionError) -> RegionID {
        try player.schedule(region, kinds: kinds) { [reports] completion in
            reports.completions.withLock { $0.append(completion) }
        }
    }

    /// Renders frames after priming them, unless `primed` is false.
    func render(_ frames: Int, primed: Bool = true) -> [RenderedFrame?] {
        if primed { player.prime(frames: frames) }
        var output = [Float](repeating: .nan, count: max(1, frames) * 2)
        let done = output.withUnsafeMutableBufferPointer { buffer in
            buffer.baseAddress.map { player.pull(into: $0, frames: frames, at: graphFrame) } ?? 0
        }
        graphFrame += Int64(done)
        return (0..<done).map { RenderedFrame(output[$0 * 2], output[$0 * 2 + 1]) }
    }

    /// Renders in slices of the given length.
    func render(_ frames: Int, by slice: Int) -> [RenderedFrame?] {
        stride(from: 0, to: frames, by: slice).flatMap { render(min(slice, frames - $0)) }
    }

    /// Returns the completions since the last call.
    func completions() -> [RegionCompletion] {
        events.drain()
        return reports.completions.withLock { completions in
            defer { completions = [] }
            return completions
        }
    }

    func news() -> [RegionEvent] {
        events.drain()
        return reports.events.withLock { events in
            defer { events = [] }
            return events
        }
    }
}

/// Returns consecutive frames of a file.
func heard(_ file: Int, _ frames: Range<Int64>) -> [RenderedFrame?] {
    frames.map { RenderedFrame(file: file, frame: $0) }
}

func silence(_ frames: Int) -> [RenderedFrame?] { Array(repeating: nil, count: frames) }
