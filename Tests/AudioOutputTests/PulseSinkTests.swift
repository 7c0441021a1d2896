// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import EarshotTestSupport
import Glibc
import Logging
import Media
import Testing

@Suite("PulseSink on a server", .serialized) struct PulseSinkTests {
    @Test(
        "A short signal plays completely: one MPEG frame, less than the prebuffer, whole buffers",
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
        #expect(player.harness.recorder.wait { player.sink.playedFrames == 9000 })
        // Less than the prebuffer: only the drain plays it.
        player.harness.feed(9000..<10_000, step: 100)
        #expect(player.harness.recorder.events == [.starved], "the same starvation is reported once")
        #expect(player.harness.playOut())
        #expect(player.heardFrames(10_000) == Array(0..<10_000))
        try player.sink.close()
    }

    @Test("Frames that arrive during the drain are played before it ends")
    func growsInTheDrain() throws {
        // The server has all frames, so that the drain is under way when the others arrive.
        let player = try RecordedPlayer(buffer: .seconds(2))
        player.harness.feed(0..<80_000)
        player.sink.uncork()
        player.sink.drain()
        player.harness.feed(80_000..<97_200)
        #expect(player.harness.recorder.wait(for: .drained))
        #expect(player.sink.playedFrames == 97_200)
        #expect(player.heardFrames(97_200) == Array(0..<97_200))
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
        player.harness.feed(0..<44_100)
        player.sink.uncork()
        #expect(player.harness.recorder.wait { player.sink.playedFrames > 5000 })
        player.sink.cork()
        let heard = player.sink.playedFrames
        usleep(200_000)
        #expect(player.sink.playedFrames == heard)
        player.sink.uncork()
        #expect(player.harness.playOut())
        #expect(player.heardFrames(44_100) == Array(0..<44_100))
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
        let recorded = player.heardFrames { $0.last == 109_999 }
        let before = recorded.prefix { $0 < 100_000 }
        #expect(Array(before) == Array(0..<Int64(before.count)))
        // The position is an estimate, to a tenth of a second on an idle machine.
        let tolerance = 44_100 / 10 * Int64(TimeLimit.factor)
        #expect(abs(Int64(before.count) - heard) < tolerance, "\(before.count) recorded, \(heard) reported")
        #expect(Array(recorded.dropFirst(before.count)) == Array(100_000..<110_000))
        try player.sink.close()
    }

    @Test("Of a buffer of two seconds, only frames that the source remembers are replaced")
    func longBuffer() throws {
        let player = try RecordedPlayer(capacity: 1 << 18, buffer: .seconds(2))
        player.harness.feed(0..<176_400)
        player.sink.uncork()
        #expect(player.harness.recorder.wait { player.sink.playedFrames > 4000 })
        let next = player.sink.takeBack(keeping: .milliseconds(40))
        player.harness.ring.discard(before: 1)
        player.harness.generation = 1
        player.harness.feed(200_000..<210_000)
        #expect(player.harness.playOut())
        #expect(player.sink.playedFrames == next + 10_000)
        let recorded = player.heardFrames { $0.last == 209_999 }
        #expect(firstDifference(recorded.prefix(Int(next)), 0..<next) == nil)
        // The first ones fade in over those that they replace.
        #expect(recorded.count <= Int(next) + 10_000)
        #expect(recorded.suffix(9000).elementsEqual(201_000..<210_000))
        try player.sink.close()
    }

    @Test("The position usually leads the recording by at most 50 ms and lags by at most 150 ms")
    func position() throws {
        let player = try RecordedPlayer()
        player.harness.feed(0..<66_150)
        player.sink.uncork()
        var (leads, lags): ([Int64], [Int64]) = ([], [])
        // Another thread may delay this one between two lines, so the recording is measured before and after.
        for _ in 0..<11 {
            usleep(100_000)
            let before = player.lastHeard
            let position = player.sink.playedFrames
            leads.append(position - player.lastHeard)
            lags.append(before - position)
        }
        // A busy machine delays the server and the recorder.
        let factor = Int64(TimeLimit.factor)
        #expect(leads.sorted()[5] < 2205 * factor && lags.sorted()[5] < 6615 * factor, "\(leads) \(lags)")
        try player.sink.close()
    }

    @Test("The loss of a server is reported once")
    func serverDies() throws {
        let player = try RecordedPlayer()
        player.harness.feed(0..<44_100)
        player.sink.uncork()
        #expect(player.harness.recorder.wait { player.sink.playedFrames > 1000 })
        player.server.kill()
        #expect(
            player.harness.recorder.wait {
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
        #expect(elapsed < TimeLimit.shortRun)
    }

    @Test("A missing device is refused, and the connection can be made early")
    func noSink() throws {
        let server = try PulseServer()
        let sink = PulseSink(server: server.address, sinkName: "nowhere", logger: Logger(label: "test"))
        try sink.prepare()
        let reason = "there is no sound device \"nowhere\"; \"pactl list short sinks\" lists them"
        #expect(throws: AudioOutputError.refused(operation: "open a stream", reason: reason)) {
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
        #expect(elapsed < TimeLimit.shortRun)
    }
}
