// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import EarshotTestSupport
import Glibc
import Logging
import Media
import Testing

/// A player on its own server with a recorded device.
private final class RecordedPlayer {
    let server: PulseServer
    let capture: PulseCapture
    let harness: SinkHarness
    var sink: any AudioSink { harness.sink }

    init(capacity: Int = 1 << 17) throws {
        server = try PulseServer()
        capture = try server.capture()
        let sink = PulseSink(
            server: server.address, sinkName: PulseServer.sinkName, logger: Logger(label: "test"))
        harness = try SinkHarness(sink, capacity: capacity)
    }

    /// Returns the recorded frames once there are `count` of them.
    func heardFrames(_ count: Int) -> [Int64] {
        var heard: [Int64] = []
        _ = harness.recorder.wait(atMost: .seconds(1)) {
            heard = CountingSignal.frames(in: capture.samples())
            return heard.count >= count
        }
        return heard
    }
}

@Suite("PulseSink on a server", .serialized) struct PulseSinkTests {
    @Test("A short signal plays completely: one MPEG frame, less than the prebuffer, whole buffers",
        arguments: [1, 1152, 2700, 2756, 11_025, 22_050] as [Int64])
    func allIsHeard(frames: Int64) throws {
        let player = try RecordedPlayer()
        player.harness.feed(0..<frames)
        player.sink.uncork()
        #expect(player.harness.playOut())
        #expect(player.sink.playedFrames == frames)
        #expect(player.heardFrames(Int(frames)) == Array(0..<frames))
        try player.sink.close()
    }

    @Test("A producer that pauses for 300 ms causes silence but loses no sample, and the tail is drained")
    func starvation() throws {
        let player = try RecordedPlayer()
        player.harness.feed(0..<9000)
        player.sink.uncork()
        #expect(player.harness.recorder.wait(for: .starved))
        usleep(300_000)
        #expect(player.sink.playedFrames == 9000)
        // Less than the prebuffer: only the drain plays it.
        player.harness.feed(9000..<10_000, step: 100)
        #expect(player.harness.recorder.events == [.starved], "the same starvation is reported once")
        #expect(player.harness.playOut())
        #expect(player.heardFrames(10_000) == Array(0..<10_000))
        try player.sink.close()
    }

    @Test("A ring far smaller than the server's buffer, fed in odd steps, loses no frame")
    func smallRing() throws {
        let player = try RecordedPlayer(capacity: 2048)
        player.sink.uncork()
        #expect(player.harness.feed(0..<40_000, step: 577))
        #expect(player.harness.playOut())
        #expect(player.heardFrames(40_000) == Array(0..<40_000))
        try player.sink.close()
    }

    @Test("Corking and uncorking loses no frame, and the position stands still in between")
    func corking() throws {
        let player = try RecordedPlayer()
        player.harness.feed(0..<22_050)
        player.sink.uncork()
        #expect(player.harness.recorder.wait { player.sink.playedFrames > 5000 })
        player.sink.cork()
        let heard = player.sink.playedFrames
        usleep(200_000)
        #expect(player.sink.playedFrames == heard && heard < 12_000)
        player.sink.uncork()
        #expect(player.harness.playOut())
        #expect(player.heardFrames(22_050) == Array(0..<22_050))
        try player.sink.close()
    }

    @Test("After a flush the position is that of the recording, and playback continues from there")
    func flushing() throws {
        let player = try RecordedPlayer()
        player.harness.feed(0..<44_100)
        player.sink.uncork()
        #expect(player.harness.recorder.wait { player.sink.playedFrames > 8000 })
        player.harness.ring.discard(before: 1)
        player.sink.flush()
        let heard = player.sink.playedFrames
        usleep(100_000)
        #expect(player.sink.playedFrames == heard, "no further frames were pulled")
        player.harness.generation = 1
        player.harness.feed(100_000..<110_000)
        #expect(player.harness.playOut())
        #expect(player.sink.playedFrames == heard + 10_000)
        let before = player.heardFrames(Int(heard) + 10_000).prefix { $0 < 100_000 }
        // The position is an estimate, to a tenth of a second; the recording up to the flush may be longer.
        let recorded = player.heardFrames(before.count + 10_000)
        #expect(Array(before) == Array(0..<Int64(before.count)))
        #expect(abs(Int64(before.count) - heard) < 44_100 / 10, "\(before.count) recorded, \(heard) reported")
        #expect(Array(recorded.dropFirst(before.count)) == Array(100_000..<110_000))
        try player.sink.close()
    }

    @Test("The position leads the recording by at most 50 ms and lags by at most 150 ms")
    func position() throws {
        let player = try RecordedPlayer()
        player.harness.feed(0..<44_100)
        player.sink.uncork()
        var differences: [Int64] = []
        for _ in 0..<8 {
            usleep(100_000)
            let told = player.sink.playedFrames
            let recorded = CountingSignal.frames(in: player.capture.samples()).last ?? 0
            differences.append(told - recorded)
        }
        #expect(differences.allSatisfy { $0 < 2205 && $0 > -6615 }, "\(differences)")
        try player.sink.close()
    }

    @Test("The loss of a server is reported once")
    func serverDies() throws {
        let player = try RecordedPlayer()
        player.harness.feed(0..<44_100)
        player.sink.uncork()
        #expect(player.harness.recorder.wait { player.sink.playedFrames > 1000 })
        player.server.kill()
        #expect(player.harness.recorder.wait(atMost: .seconds(1)) {
            player.harness.recorder.events.contains { if case .lost = $0 { true } else { false } }
        })
        player.sink.flush()
        player.sink.cork()
        player.sink.uncork()
        player.sink.drain()
        usleep(50_000)
        let lost = player.harness.recorder.events.filter { if case .lost = $0 { true } else { false } }
        #expect(lost.count == 1)
        try player.sink.close()
    }

    @Test("Without a server, opening fails immediately with the reason")
    func noServer() {
        let sink = PulseSink(server: "unix:/nonexistent/native", logger: Logger(label: "test"))
        let elapsed = ContinuousClock().measure {
            #expect {
                try sink.prepare()
            } throws: { error in
                if case AudioOutputError.noServer(let reason) = error { reason.contains("/nonexistent") } else { false }
            }
        }
        #expect(elapsed < .seconds(20))
    }

    @Test("A missing device is refused, and the connection can be made early")
    func noSink() throws {
        let server = try PulseServer()
        let sink = PulseSink(server: server.address, sinkName: "nowhere", logger: Logger(label: "test"))
        try sink.prepare()
        #expect(throws: AudioOutputError.refused(operation: "open a stream to nowhere", reason: "No such entity")) {
            _ = try SinkHarness(sink)
        }
    }

    @Test("A server that accepts and never answers times out after 2 s")
    func silentServer() throws {
        let file = TemporaryFile("native")
        let listener = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: file.path.utf8) }
        let bound = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        try #require(bound == 0 && listen(listener, 1) == 0)
        let sink = PulseSink(server: "unix:\(file.path)", logger: Logger(label: "test"))
        let elapsed = ContinuousClock().measure {
            #expect(throws: AudioOutputError.self) { try sink.prepare() }
        }
        #expect(elapsed < .seconds(20))
    }
}
