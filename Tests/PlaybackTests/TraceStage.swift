// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Logging
import Media
import Synchronization

@testable import Playback

/// The player itself on a link that follows a trace, on a clock that goes as fast as it can.
final class TraceStage {
    private let sink = CapturingSink(allowance: 0)
    private let source: MemoryByteSource
    private let trace: LinkTrace
    private let loop: PlaybackLoop
    private let sources = MemorySources()
    private let told: Told
    /// Frames pulled in a tick.
    private let frames: Int

    private final class Told: Sendable {
        let events = Mutex<[PlayerEvent]>([])
    }

    /// - Parameter sampleRate: of the sound in `bytes`.
    init(_ bytes: [UInt8], sampleRate: Int, on trace: LinkTrace) {
        self.trace = trace
        let (time, told) = (Time(), Told())
        (self.told, self.time) = (told, time)
        frames = sampleRate / 10
        source = MemoryByteSource(bytes, held: 0, throughput: nil)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        loop = PlaybackLoop(
            sink: sink, sources: sources, options: .init(statusInterval: .zero),
            mailbox: PlayerMailbox(status: PlayerStatus()), logger: logger, time: { time.now },
            emit: { event in told.events.withLock { $0.append(event) } })
        let item = PlaybackItem(
            id: sources.add(.success(source)), title: "", podcast: nil, location: "", start: nil, end: nil)
        loop.mailbox.post(.edit(.append(item)))
        loop.mailbox.post(.edit(.close))
    }

    private final class Time {
        var now = Duration.zero
    }
    private let time: Time

    /// What was shown at a tick of a silence.
    struct Shown {
        var at: Duration
        var wait: Duration?
        var risk: StallRisk?
    }

    private(set) var shown: [Shown] = []

    /// Plays to the end, or for two hours.
    func play() -> TraceOutcome {
        var outcome = TraceOutcome()
        while !has(.ended), time.now < .seconds(7200) {
            source.say(trace.throughput(at: time.now))
            source.release(upTo: Int(trace.bytes(by: time.now)))
            work()
            shown.append(.init(at: time.now, wait: status.wait?.expected, risk: status.stallRisk))
            if outcome.start == nil, !sink.isCorked { outcome.start = time.now }
            _ = sink.pull(frames)
            work()
            time.now += TraceOutcome.tick
        }
        outcome.stalls = stalls
        return outcome
    }

    private var status: PlayerStatus { loop.mailbox.status }

    private func has(_ event: PlayerEvent) -> Bool { told.events.withLock { $0.contains(event) } }

    private var stalls: [TraceOutcome.Stall] {
        var (list, place) = ([TraceOutcome.Stall](), Duration.zero)
        for event in told.events.withLock({ $0 }) {
            switch event {
            case .stallBegan(_, let at): place = at
            case .stallEnded(_, let lasted): list.append(.init(place: place, lasted: lasted))
            default: continue
            }
        }
        return list
    }

    private func work() {
        for _ in 0..<2000 where loop.round() != .worked && !loop.hasActed { return }
    }
}
