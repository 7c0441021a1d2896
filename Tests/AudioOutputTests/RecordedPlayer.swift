// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Logging

/// A player on its own server with a recorded device.
final class RecordedPlayer {
    let server: PulseServer
    let capture: PulseCapture
    let harness: SinkHarness
    var sink: any AudioSink { harness.sink }

    init(capacity: Int = 1 << 17, buffer: Duration = .milliseconds(250)) throws {
        server = try PulseServer()
        capture = try server.capture()
        let sink = PulseSink(
            server: server.address, sinkName: PulseServer.sinkName, buffer: buffer, logger: Logger(label: "test"))
        harness = try SinkHarness(sink, capacity: capacity)
    }

    /// Returns the recorded frames once there are `count` of them.
    func heardFrames(_ count: Int) -> [Int64] { heardFrames { $0.count >= count } }

    /// Returns the recorded frames once they fulfil a condition.
    func heardFrames(once isEnough: ([Int64]) -> Bool) -> [Int64] {
        var heard: [Int64] = []
        _ = harness.recorder.wait {
            heard = CountingSignal.frames(in: capture.samples())
            return isEnough(heard)
        }
        return heard
    }

    /// The number of the last recorded frame.
    var lastHeard: Int64 { CountingSignal.frames(in: capture.samples()).last ?? 0 }
}
