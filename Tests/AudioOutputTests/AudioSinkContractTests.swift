// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import EarshotTestSupport
import Glibc
import Logging
import Media
import Testing

/// The sinks that must fulfil the contract of `AudioSink`.
enum SinkKind: String, CaseIterable, CustomTestStringConvertible {
    case nullRealTime, nullFast, wav, raw, pulse

    var testDescription: String { rawValue }
}

/// A sink with the server or file that it requires.
private struct SinkUnderTest {
    let sink: any AudioSink
    private let server: PulseServer?
    private let file: TemporaryFile?

    init(_ kind: SinkKind) throws {
        server = kind == .pulse ? try PulseServer() : nil
        file = kind == .wav || kind == .raw ? TemporaryFile("out") : nil
        sink =
            switch kind {
            case .nullRealTime: NullSink(pace: .realTime)
            case .nullFast: NullSink(pace: .asFastAsPossible)
            case .wav: FileSink(path: file?.path ?? "", container: .wav)
            case .raw: FileSink(path: file?.path ?? "", container: .raw)
            case .pulse:
                PulseSink(
                    server: server?.address, sinkName: PulseServer.sinkName, logger: Logger(label: "test"))
            }
    }
}

@Suite("AudioSink contract", .serialized) struct AudioSinkContractTests {
    @Test("An opened sink is corked: it pulls and plays no frame", arguments: SinkKind.allCases)
    func opensCorked(kind: SinkKind) throws {
        let subject = try SinkUnderTest(kind)
        let harness = try SinkHarness(subject.sink)
        harness.feed(0..<5000)
        usleep(60_000)
        #expect(harness.ring.readableFrames == 5000 && harness.sink.playedFrames == 0)
        #expect(harness.recorder.events == [])
        try harness.sink.close()
    }

    @Test(
        "Every frame is pulled once, on one timeline, and the drain ends after the last one is played",
        arguments: SinkKind.allCases)
    func playsOut(kind: SinkKind) throws {
        let subject = try SinkUnderTest(kind)
        let harness = try SinkHarness(subject.sink, capacity: 4096)
        harness.feed(0..<3456)
        harness.sink.uncork()
        #expect(harness.feed(3456..<9000))
        #expect(harness.playOut())
        #expect(harness.sink.playedFrames == 9000)
        let parts = harness.rendered()
        #expect(parts.allSatisfy { $0.outputFrame == $0.run.sourceFrame })
        #expect(parts.reduce(0) { $0 + Int($1.run.frames) } == 9000)
        try harness.sink.close()
        #expect(harness.sink.playedFrames == 9000)
        #expect(harness.recorder.events.filter { $0 == .drained }.count == 1)
    }

    @Test(
        "An empty source is reported once as starved, and playback continues at the next frame",
        arguments: SinkKind.allCases)
    func starves(kind: SinkKind) throws {
        let subject = try SinkUnderTest(kind)
        let harness = try SinkHarness(subject.sink)
        harness.feed(0..<8820)
        harness.sink.uncork()
        #expect(harness.recorder.wait(for: .starved))
        usleep(50_000)
        #expect(harness.recorder.events == [.starved])
        #expect(harness.recorder.wait { harness.sink.playedFrames == 8820 })
        #expect(harness.feed(8820..<17_640))
        #expect(harness.playOut())
        #expect(harness.sink.playedFrames == 17_640)
        #expect(harness.rendered().allSatisfy { $0.outputFrame == $0.run.sourceFrame })
        try harness.sink.close()
    }

    @Test(
        "A flush while corked discards unplayed frames, and the next frame continues the count of played ones",
        arguments: SinkKind.allCases)
    func flushes(kind: SinkKind) throws {
        let subject = try SinkUnderTest(kind)
        let harness = try SinkHarness(subject.sink)
        harness.feed(0..<22_050)
        harness.sink.uncork()
        #expect(harness.recorder.wait { harness.sink.playedFrames > 2000 })
        harness.sink.cork()
        harness.ring.discard(before: 1)
        harness.sink.flush()
        let heard = harness.sink.playedFrames
        #expect(harness.ring.writableFrames == harness.ring.capacity)
        _ = harness.rendered()
        harness.generation = 1
        harness.feed(100_000..<104_410)
        harness.sink.uncork()
        #expect(harness.playOut())
        #expect(harness.sink.playedFrames == heard + 4410)
        let first = harness.rendered().first
        #expect(first?.outputFrame == heard && first?.run.sourceFrame == 100_000)
        try harness.sink.close()
    }

    @Test("A corked sink plays no frame, and uncorking continues", arguments: SinkKind.allCases)
    func corks(kind: SinkKind) throws {
        let subject = try SinkUnderTest(kind)
        let harness = try SinkHarness(subject.sink, capacity: 1 << 15)
        harness.feed(0..<17_640)
        harness.sink.uncork()
        #expect(harness.recorder.wait { harness.sink.playedFrames > 0 })
        harness.sink.cork()
        let heard = harness.sink.playedFrames
        usleep(60_000)
        #expect(harness.sink.playedFrames == heard)
        harness.sink.uncork()
        #expect(harness.playOut())
        #expect(harness.sink.playedFrames == 17_640)
        try harness.sink.close()
    }

    @Test("A drain requested while corked waits until the sink is uncorked", arguments: SinkKind.allCases)
    func drainsLater(kind: SinkKind) throws {
        let subject = try SinkUnderTest(kind)
        let harness = try SinkHarness(subject.sink)
        harness.feed(0..<1152)
        harness.sink.drain()
        usleep(60_000)
        #expect(harness.recorder.events == [])
        harness.sink.uncork()
        #expect(harness.recorder.wait(for: .drained))
        #expect(harness.sink.playedFrames == 1152)
        try harness.sink.close()
    }

    @Test("A second open without a loss is refused, and playback continues", arguments: SinkKind.allCases)
    func opensOnce(kind: SinkKind) throws {
        let subject = try SinkUnderTest(kind)
        let harness = try SinkHarness(subject.sink)
        harness.feed(0..<4410)
        harness.sink.uncork()
        #expect(throws: AudioOutputError.self) { try harness.reopen() }
        #expect(harness.playOut())
        #expect(harness.sink.playedFrames == 4410)
        try harness.sink.close()
    }

    @Test("A closed sink reports no events, and a second close is harmless", arguments: SinkKind.allCases)
    func closes(kind: SinkKind) throws {
        let subject = try SinkUnderTest(kind)
        let harness = try SinkHarness(subject.sink)
        harness.feed(0..<44_100)
        harness.sink.uncork()
        try harness.sink.close()
        let told = harness.recorder.events
        harness.sink.drain()
        harness.sink.uncork()
        usleep(30_000)
        #expect(harness.recorder.events == told)
        try harness.sink.close()
    }
}

@Suite("NullSink") struct NullSinkTests {
    @Test("At the real-time pace half a second of audio takes half a second")
    func pace() throws {
        let harness = try SinkHarness(NullSink(pace: .realTime))
        harness.feed(0..<22_050)
        let elapsed = ContinuousClock().measure {
            harness.sink.uncork()
            _ = harness.playOut()
        }
        #expect(elapsed > .milliseconds(470) && elapsed < TimeLimit.shortRun)
        try harness.sink.close()
    }
}
