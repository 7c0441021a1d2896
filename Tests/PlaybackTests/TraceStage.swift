// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Logging
import Media

@testable import Playback

/// The playback loop on a link that follows a trace, with a simulated clock.
final class TraceStage {
    private let sink = CapturingSink(allowance: 0)
    private let source: MemoryByteSource
    private let trace: LinkTrace
    private let loop: PlaybackLoop
    private let sources = MemorySources()
    private let told = EventLog()
    /// The number of frames pulled per tick.
    private let frames: Int

    /// - Parameter sampleRate: The sample rate of `bytes`.
    init(_ bytes: [UInt8], sampleRate: Int, on trace: LinkTrace) {
        self.trace = trace
        let time = Time()
        self.time = time
        frames = sampleRate / 10
        source = MemoryByteSource(bytes, held: 0, throughput: nil)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        loop = PlaybackLoop(
            sink: sink, options: .init(statusInterval: .zero),
            mailbox: PlayerMailbox(status: PlayerStatus()), logger: logger, time: { time.now },
            emit: { [told] in told.append($0) })
        let id = sources.add(.success(source))
        let item = PlaybackItem(id: id, title: "", podcast: nil, location: "", source: sources.source(id))
        loop.mailbox.post(.command(.append(item)))
        loop.mailbox.post(.command(.closePlaylist))
    }

    private final class Time {
        var now = Duration.zero
    }
    private let time: Time

    /// The wait and the stall risk that the status showed at a tick.
    struct Shown {
        var at: Duration
        var wait: Duration?
        var risk: StallRisk?
    }

    private(set) var shown: [Shown] = []

    /// Plays to the end, or for two hours.
    func play() -> TraceOutcome {
        var outcome = TraceOutcome()
        while !told.events.contains(.ended), time.now < .seconds(7200) {
            source.say(trace.throughput(at: time.now))
            source.release(upTo: Int(trace.bytes(by: time.now)))
            loop.work()
            shown.append(.init(at: time.now, wait: status.wait?.expected, risk: status.stallRisk))
            if outcome.start == nil, !sink.isCorked { outcome.start = time.now }
            _ = sink.pull(frames)
            loop.work()
            time.now += TraceOutcome.tick
        }
        outcome.stalls = stalls
        return outcome
    }

    private var status: PlayerStatus { loop.mailbox.status }

    private var stalls: [TraceOutcome.Stall] {
        var (list, place) = ([TraceOutcome.Stall](), Duration.zero)
        for event in told.events {
            switch event {
            case .stallBegan(_, let at): place = at
            case .stallEnded(_, let lasted): list.append(.init(place: place, lasted: lasted))
            default: continue
            }
        }
        return list
    }
}
