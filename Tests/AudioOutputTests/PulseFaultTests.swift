// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import EarshotTestSupport
import Glibc
import Logging
import Media
import Testing

private func isUnbroken(_ frames: some Collection<Int64>) -> Bool {
    zip(frames, frames.dropFirst()).allSatisfy { $0 + 1 == $1 }
}

private func isAscending(_ frames: some Collection<Int64>) -> Bool {
    zip(frames, frames.dropFirst()).allSatisfy { $0 < $1 }
}

/// 50 ms and 100 ms at 44.1 kHz, in frames; more on a busy machine, which delays the server and the sink.
private let short = 2205 * Int64(TimeLimit.factor)
private let long = 4410 * Int64(TimeLimit.factor)

/// The frames of a signal that lasts longer than `pactl` needs on a busy machine. The ring of `FaultStage` is larger.
private let longSignal: Int64 = 120_000

@Suite("PulseSink server faults", .serialized) struct PulseFaultTests {
    @Test("After a restart of the server the unplayed frames play first, on the same timeline")
    func restarted() throws {
        let stage = try FaultStage()
        let heard = stage.playUntilLoss()
        #expect(throws: AudioOutputError.self) { try stage.harness.reopen() }
        stage.sink.uncork()
        #expect(stage.sink.playedFrames == heard)
        stage.captures.append(try stage.server.restart())
        try stage.harness.reopen()
        #expect(stage.sink.playedFrames == heard)
        stage.sink.uncork()
        #expect(stage.harness.playOut())
        #expect(stage.sink.playedFrames == 44_100)
        let (before, after) = (stage.heard()[0], stage.heard(to: 44_099)[1])
        #expect(before.first == 0 && isUnbroken(before))
        #expect(after.first == heard && after.last == 44_099 && isUnbroken(after))
        let gap = heard - Int64(before.count)
        #expect(abs(gap) < long, "\(before.count) recorded, \(heard) reported")
        try stage.sink.close()
    }

    @Test("After a flush during an outage the frames from before are not played")
    func flushedMeanwhile() throws {
        let stage = try FaultStage()
        _ = stage.playUntilLoss()
        stage.harness.ring.discard(before: 1)
        stage.sink.flush()
        let heard = stage.sink.playedFrames
        stage.harness.generation = 1
        stage.harness.feed(100_000..<110_000)
        stage.captures.append(try stage.server.restart())
        try stage.harness.reopen()
        stage.sink.uncork()
        #expect(stage.harness.playOut())
        #expect(stage.sink.playedFrames == heard + 10_000)
        #expect(firstDifference(stage.heard(to: 109_999)[1], 100_000..<110_000) == nil)
        try stage.sink.close()
    }

    @Test("Frames that replace those of a lost server, before the new one plays any, are the first ones")
    func replacedMeanwhile() throws {
        let stage = try FaultStage()
        let heard = stage.playUntilLoss()
        stage.captures.append(try stage.server.restart())
        try stage.harness.reopen()
        let next = stage.sink.takeBack(keeping: .milliseconds(40))
        #expect(next == heard)
        stage.harness.ring.discard(before: 1)
        stage.harness.generation = 1
        stage.harness.feed(100_000..<110_000)
        stage.sink.sourceRefilled()
        stage.sink.uncork()
        #expect(stage.harness.playOut())
        #expect(stage.sink.playedFrames == heard + 10_000)
        // The first ones fade in over those that they replace.
        let after = stage.heard(to: 109_999)[1]
        #expect(after.count <= 10_000 && after.suffix(9000).elementsEqual(101_000..<110_000))
        try stage.sink.close()
    }

    @Test("A stream that is moved to another sink continues there at the next sample")
    func moved() throws {
        let stage = try FaultStage()
        _ = try stage.server.addSink("other")
        stage.captures.append(try stage.server.capture("other"))
        stage.play(longSignal, until: 9000)
        try stage.server.moveStreams(of: "Earshot", to: "other")
        #expect(stage.harness.playOut())
        #expect(!stage.has(.unplugged) && stage.sink.playedFrames == longSignal)
        let heard = stage.heard(to: longSignal - 1)
        #expect(heard.allSatisfy(isUnbroken) && heard[0].first == 0 && heard[1].last == longSignal - 1)
        let border = (heard[1].first ?? 0) - (heard[0].last ?? 0) - 1
        // The server itself is a few frames off.
        #expect(abs(border) < short / 5, "\(border)")
        try stage.sink.close()
    }

    @Test("Removing the device corks the sink and reports it; uncorked, it continues elsewhere at the next sample")
    func unplugged() throws {
        let stage = try FaultStage(headphones: true)
        stage.play(longSignal, until: 9000)
        try stage.server.control("unload-module", stage.module)
        #expect(stage.harness.recorder.wait(for: .unplugged))
        let heard = stage.sink.playedFrames
        usleep(200_000)
        #expect(stage.sink.playedFrames == heard)
        // The recorder is moved too: frames after a gap are from the other sink.
        let before = stage.heard()[0].enumerated().prefix { $0.offset == $0.element }.map(\.element)
        let surprise = stage.heard()[1].count
        // A client that is late lets the server play its whole buffer.
        #expect(surprise < (TimeLimit.factor == 1 ? short : 11_025 + short), "\(surprise)")
        stage.sink.uncork()
        #expect(stage.harness.playOut())
        let after = stage.heard(to: longSignal - 1)[1]
        #expect(isUnbroken(after) && after.last == longSignal - 1)
        let border = (after.first ?? 0) - Int64(before.count)
        #expect(abs(border) < long, "\(border)")
        try stage.sink.close()
    }

    @Test(
        "A server that returns without the former device is waited for, unless the listener asks for sound meanwhile",
        arguments: [false, true])
    func otherSink(isWanted: Bool) throws {
        let stage = try FaultStage(headphones: true, loyalty: isWanted ? .seconds(600) : .seconds(2) * TimeLimit.factor)
        let heard = stage.playUntilLoss()
        stage.captures = [try stage.server.restart()]
        #expect(throws: AudioOutputError.self) { try stage.harness.reopen() }
        if isWanted { stage.sink.acceptAnyDevice() }
        #expect(stage.harness.recorder.wait { (try? stage.harness.reopen()) != nil })
        #expect(stage.has(.unplugged) == !isWanted)
        stage.sink.uncork()
        #expect(stage.harness.playOut())
        let after = stage.heard(to: 44_099)[0]
        #expect(after.first == heard && after.last == 44_099 && isUnbroken(after))
        try stage.sink.close()
    }

    @Test("Without any device the sink is lost, and it opens again when there is one")
    func noSinkLeft() throws {
        let stage = try FaultStage()
        stage.play(longSignal, until: 9000)
        try stage.server.control("unload-module", "module-null-sink")
        #expect(stage.harness.recorder.wait { stage.isLost })
        #expect(stage.has(.unplugged))
        let heard = stage.sink.playedFrames
        #expect(throws: AudioOutputError.self) { try stage.harness.reopen() }
        _ = try stage.server.addSink(PulseServer.sinkName)
        stage.captures.append(try stage.server.capture())
        try stage.harness.reopen()
        stage.sink.uncork()
        #expect(stage.harness.playOut())
        let after = stage.heard(to: longSignal - 1)[1]
        #expect(after.first == heard && after.last == longSignal - 1 && isUnbroken(after))
        try stage.sink.close()
    }

    /// Plays a short signal and interrupts it in the middle.
    /// - Parameter interruption: returns false if the signal ended before, as it may on a busy machine.
    private func interrupted(
        _ frames: Int64, inTheDrain: Bool, by interruption: (FaultStage) throws -> Bool
    ) throws -> FaultStage {
        for _ in 0..<5 {
            let stage = try FaultStage()
            stage.play(frames, until: 4000)
            if inTheDrain { stage.sink.drain() }
            if try interruption(stage) { return stage }
            try stage.sink.close()
        }
        throw PulseServer.Failure(reason: "the sink did not stand still in any of five interruptions")
    }

    @Test(
        "While the device is suspended the playhead stands still, and playback resumes at the next sample",
        arguments: [false, true])
    func suspended(inTheDrain: Bool) throws {
        let frames: Int64 = inTheDrain ? 11_000 : 33_000
        let stage = try interrupted(frames, inTheDrain: inTheDrain) { stage in
            try stage.server.control("suspend-sink", PulseServer.sinkName, "1")
            usleep(20_000)
            let heard = stage.sink.playedFrames
            usleep(700_000)
            return stage.sink.playedFrames == heard && !stage.has(.drained) && stage.sink.isSuspended
        }
        try stage.server.control("suspend-sink", PulseServer.sinkName, "0")
        #expect(stage.harness.playOut())
        #expect(!stage.sink.isSuspended)
        #expect(stage.sink.playedFrames == frames)
        let recorded = stage.heard(to: frames - 1)[0]
        // Frames in the recorder's buffer when it was suspended with the sink.
        let lost = frames - Int64(recorded.count)
        #expect(recorded.last == frames - 1 && isAscending(recorded) && lost < long / 10, "\(lost)")
        try stage.sink.close()
    }

    @Test("After the server was stopped for 1.5 s playback resumes at the next sample", arguments: [false, true])
    func serverStopped(inTheDrain: Bool) throws {
        let frames: Int64 = inTheDrain ? 11_000 : 33_000
        let stage = try interrupted(frames, inTheDrain: inTheDrain) { stage in
            stage.server.signal(SIGSTOP)
            usleep(1_500_000)
            return !stage.has(.drained) && !stage.isLost
        }
        stage.server.signal(SIGCONT)
        #expect(stage.harness.playOut())
        #expect(stage.sink.playedFrames == frames)
        let recorded = stage.heard(to: frames - 1)[0]
        #expect(firstDifference(recorded, 0..<frames) == nil)
        try stage.sink.close()
    }

    @Test("A device suspended in a long pause resumes with the next sample")
    func idleSuspend() throws {
        let stage = try FaultStage()
        try stage.server.control("load-module", "module-suspend-on-idle", "timeout=1")
        stage.play(33_000, until: 4000)
        // A recorder keeps a device awake.
        stage.server.endListeners()
        stage.sink.cork()
        let heard = stage.sink.playedFrames
        #expect(
            stage.harness.recorder.wait {
                usleep(200_000)
                let sinks = try? stage.server.control("list", "short", "sinks")
                return sinks?.contains { $0.hasSuffix("SUSPENDED") } == true
            })
        #expect(stage.sink.playedFrames == heard)
        stage.sink.uncork()
        #expect(stage.harness.playOut())
        #expect(stage.sink.playedFrames == 33_000)
        try stage.sink.close()
    }

    @Test("Closing does not wait for a server that does not answer")
    func closesAtOnce() throws {
        let stage = try FaultStage()
        stage.play(44_100, until: 4000)
        stage.server.signal(SIGSTOP)
        let sink = PulseSink(server: stage.server.address, logger: Logger(label: "test"))
        let thread = WorkerThread.start { #expect(throws: AudioOutputError.self) { try sink.prepare() } }
        usleep(100_000)
        let elapsed = try ContinuousClock().measure {
            try sink.close()
            try stage.sink.close()
        }
        #expect(elapsed < TimeLimit.shortRun)
        thread?.join()
        #expect(throws: AudioOutputError.self) { try sink.prepare() }
    }
}
