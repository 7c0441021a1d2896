// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import EarshotTestSupport
import Logging
import Media
import Testing

/// A sink on its own server, for faults during playback.
final class FaultStage {
    let server: PulseServer
    let harness: SinkHarness
    var captures: [PulseCapture]
    /// The module that is unloaded to unplug the headphones.
    private(set) var module = ""
    var sink: any AudioSink { harness.sink }

    /// - Parameters:
    ///   - headphones: True to add headphones, which are then the default sink and the first recording.
    ///   - loyalty: The time that the sink waits for its former device.
    init(headphones: Bool = false, loyalty: Duration = .seconds(10)) throws {
        server = try PulseServer()
        if headphones {
            module = try server.addSink("headphones")
            // Recorders follow the default sink, so they start afterwards.
            try server.control("set-default-sink", "headphones")
        }
        captures = headphones ? [try server.capture("headphones")] : []
        captures.append(try server.capture())
        harness = try SinkHarness(
            PulseSink(server: server.address, loyalty: loyalty, logger: Logger(label: "test")), capacity: 1 << 17)
    }

    /// Plays `frames` frames from 0 on and waits until more than `place` of them are played.
    func play(_ frames: Int64, until place: Int64) {
        harness.feed(0..<frames)
        sink.uncork()
        #expect(harness.recorder.wait { sink.playedFrames > place })
    }

    /// Plays a second of the signal and kills the server in its first half.
    /// - Returns: the number of frames played when the sink reports the loss.
    func playUntilLoss() -> Int64 {
        play(44_100, until: 9000)
        server.kill()
        #expect(harness.recorder.wait { isLost })
        return sink.playedFrames
    }

    /// Returns the signal's frames in each recording, once the last one ends with frame `last`.
    func heard(to last: Int64? = nil) -> [[Int64]] {
        var heard: [[Int64]] = []
        _ = harness.recorder.wait {
            heard = captures.map { CountingSignal.frames(in: $0.samples()) }
            return last.map { heard.last?.last == $0 } ?? true
        }
        return heard
    }

    func has(_ event: AudioSinkEvent) -> Bool { harness.recorder.events.contains(event) }
    var isLost: Bool { harness.recorder.events.contains { if case .lost = $0 { true } else { false } } }
}

extension SinkHarness {
    /// Opens the sink again, as a player does.
    func reopen() throws {
        let recorder = recorder
        try sink.open(stereo, pulling: ring) { recorder.record($0) }
    }
}
