// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import AudioOutput

/// Returns a playhead at one frame per millisecond, so that frames and milliseconds are equal numbers.
private func playhead(pulled: Int) -> Playhead {
    var playhead = Playhead(format: AudioFormat(sampleRate: 1000, channels: 2))
    _ = playhead.didPull(pulled, at: .zero)
    return playhead
}

private func reading(queued: Int64, latency: Int, isPlaying: Bool = true) -> Playhead.Reading {
    Playhead.Reading(queued: queued, latency: .milliseconds(latency), isPlaying: isPlaying)
}

private func ms(_ time: Int) -> Duration { .milliseconds(time) }

@Suite("Playhead") struct PlayheadTests {
    @Test("No frame counts as played before the device reports that it plays")
    func prebuffering() {
        var playhead = playhead(pulled: 50)
        playhead.read(reading(queued: 50, latency: 0, isPlaying: false), at: ms(10))
        #expect(playhead.playedFrames(at: ms(1000)) == 0)
    }

    @Test("Played frames are pulled frames less queued frames and latency, and advance with the clock")
    func playing() {
        var playhead = playhead(pulled: 250)
        playhead.read(reading(queued: 100, latency: 40), at: ms(0))
        #expect(playhead.playedFrames(at: ms(0)) == 110)
        #expect(playhead.playedFrames(at: ms(30)) == 140)
    }

    @Test("The playhead never exceeds the pulled frames nor advances beyond one update interval")
    func limits() {
        var playhead = playhead(pulled: 250)
        playhead.read(reading(queued: 100, latency: 40), at: ms(0))
        var refilled = playhead
        #expect(playhead.playedFrames(at: ms(1000)) == 250)
        _ = refilled.didPull(10_000, at: ms(100))
        #expect(refilled.playedFrames(at: ms(60_000)) == 110 + 1600)
    }

    @Test("The playhead never moves back: a lower reading only holds it")
    func monotone() {
        var playhead = playhead(pulled: 500)
        playhead.read(reading(queued: 100, latency: 0), at: ms(0))
        #expect(playhead.playedFrames(at: ms(50)) == 450)
        playhead.read(reading(queued: 50, latency: 80), at: ms(50))
        #expect(playhead.playedFrames(at: ms(60)) == 450)
        #expect(playhead.playedFrames(at: ms(150)) == 470)
    }

    @Test("After an underrun only the device's buffered frames are played, and frames pulled later are not")
    func underrun() {
        var playhead = playhead(pulled: 200)
        playhead.read(reading(queued: 20, latency: 30), at: ms(0))
        playhead.recordUnderrun(at: ms(20))
        _ = playhead.didPull(100, at: ms(25))
        #expect(playhead.playedFrames(at: ms(30)) == 180)
        #expect(playhead.playedFrames(at: ms(500)) == 200)
        playhead.read(reading(queued: 100, latency: 30, isPlaying: false), at: ms(510))
        #expect(playhead.playedFrames(at: ms(900)) == 200)
        playhead.read(reading(queued: 90, latency: 5), at: ms(900))
        #expect(playhead.playedFrames(at: ms(910)) == 215)
    }

    @Test("Frames pulled after the device may have played all earlier ones follow after a gap, until a reading")
    func stopped() {
        var playhead = playhead(pulled: 250)
        playhead.read(reading(queued: 200, latency: 0), at: ms(0))
        let needsReading = [(50, 100), (200, 5000), (50, 5000)].map { playhead.didPull($0.0, at: ms($0.1)) }
        #expect(needsReading == [false, true, false])
        // The server reports the end of the earlier frames.
        playhead.recordUnderrun(at: ms(5001))
        #expect(playhead.playedFrames(at: ms(5100)) == 300)
        playhead.read(reading(queued: 240, latency: 0), at: ms(5200))
        #expect(playhead.playedFrames(at: ms(5210)) == 320)
    }

    @Test("While the device is stopped the playhead does not move")
    func corked() {
        var playhead = playhead(pulled: 500)
        playhead.read(reading(queued: 100, latency: 0), at: ms(0))
        playhead.recordStop(at: ms(25))
        #expect(playhead.playedFrames(at: ms(1000)) == 425)
    }

    @Test("A flush goes back to the played frames, and the next pulled frames continue from there")
    func flush() {
        var playhead = playhead(pulled: 500)
        playhead.read(reading(queued: 100, latency: 50), at: ms(0))
        playhead.flush(at: ms(10))
        #expect(playhead.pulled == 360)
        #expect(playhead.playedFrames(at: ms(500)) == 360)
        playhead.read(reading(queued: 0, latency: 20), at: ms(500))
        _ = playhead.didPull(250, at: ms(510))
        #expect(playhead.playedFrames(at: ms(900)) == 360)
        playhead.read(reading(queued: 200, latency: 20), at: ms(1000))
        #expect(playhead.playedFrames(at: ms(1000)) == 390)
    }

    @Test("Without a reading, the frames that the device may have consumed since it was started count as consumed")
    func consumed() {
        var playhead = playhead(pulled: 500)
        #expect(playhead.consumedFrames(at: ms(100)) == 0)
        playhead.recordStart(at: ms(100))
        #expect(playhead.consumedFrames(at: ms(180)) == 80)
        playhead.recordConsumed(reading(queued: 450, latency: 0), at: ms(190))
        #expect(playhead.consumedFrames(at: ms(200)) == 60)
        playhead.recordStop(at: ms(200))
        playhead.recordConsumed(reading(queued: 430, latency: 0), at: ms(210))
        #expect(playhead.consumedFrames(at: ms(900)) == 70)
        playhead.recordStart(at: ms(1000))
        #expect(playhead.consumedFrames(at: ms(1100)) == 170)
        #expect(playhead.consumedFrames(at: ms(9000)) == 500)
    }

    @Test("Frames that the device may have consumed between the last reading and a stop count as consumed afterwards")
    func consumedBeforeStop() {
        var playhead = playhead(pulled: 500)
        playhead.recordStart(at: ms(100))
        var unread = playhead
        unread.recordStop(at: ms(130))
        #expect(unread.consumedFrames(at: ms(900)) == 30)
        playhead.recordConsumed(reading(queued: 450, latency: 0), at: ms(190))
        playhead.recordStop(at: ms(220))
        #expect(playhead.consumedFrames(at: ms(900)) == 80)
        playhead.recordStart(at: ms(1000))
        #expect(playhead.consumedFrames(at: ms(1100)) == 180)
    }

    @Test("finish() marks every pulled frame as played")
    func finish() {
        var playhead = playhead(pulled: 500)
        playhead.finish()
        #expect(playhead.playedFrames(at: ms(0)) == 500)
    }
}

@Suite("Pacer") struct PacerTests {
    private let format = AudioFormat(sampleRate: 1000, channels: 1)

    @Test("Blocks lie on a grid, so that a late one is followed by a shorter wait")
    func grid() {
        var pacer = Pacer(format: format)
        #expect(pacer.delay(at: ms(5)) == .zero)
        pacer.didPull(20, at: ms(5))
        #expect(pacer.delay(at: ms(5)) == ms(20))
        pacer.didPull(20, at: ms(28))
        #expect(pacer.delay(at: ms(28)) == ms(17))
    }

    @Test("Over 50,000 blocks no time is gained or lost")
    func noDrift() {
        var pacer = Pacer(format: AudioFormat(sampleRate: 44_100, channels: 1))
        var now = Duration.zero
        for _ in 0..<50_000 {
            pacer.didPull(882, at: now)
            now += pacer.delay(at: now)
        }
        #expect(now == .seconds(1000))
    }

    @Test("Time without frames does not count, and a suspended machine does not catch up")
    func pauses() {
        var pacer = Pacer(format: format)
        pacer.didPull(20, at: ms(0))
        pacer.pause(at: ms(300))
        pacer.didPull(20, at: ms(300))
        #expect(pacer.delay(at: ms(300)) == ms(20))
        pacer.didPull(20, at: ms(5000))
        #expect(pacer.delay(at: ms(5000)) == ms(20))
    }
}
