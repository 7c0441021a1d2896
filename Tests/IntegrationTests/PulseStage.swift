// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Logging
import Testing

/// A private sound server, the recording of its output, and players that play on it.
struct PulseStage {
    let scratch: ScratchDirectory
    let server: PulseServer
    let capture: PulseCapture

    static var isInstalled: Bool {
        ["pulseaudio", "pactl", "parec"].allSatisfy { ProgramRun.isInstalled("/usr/bin/" + $0) }
    }

    init() throws {
        scratch = ScratchDirectory()
        server = try PulseServer()
        capture = try server.capture()
    }

    func start(_ items: [PlayerRun.Item], isPaused: Bool = false) -> PlayerRun {
        let sink = PulseSink(
            server: server.address, sinkName: PulseServer.sinkName,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return PlayerRun(items, into: sink, keeping: scratch, isPaused: isPaused)
    }

    /// The recording so far.
    var recorded: Frames { Frames(samples: capture.samples()) }

    /// Returns the recording when it contains `count` frames that are not silent.
    func heard(_ count: Int) async -> Frames {
        var heard = Frames([])
        for _ in 0..<20 {
            heard = recorded
            if heard.sounding.count >= count { break }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return heard
    }

    /// Returns true if no sound is recorded for a while, after samples in transit have been recorded.
    func isSilent() async -> Bool {
        try? await Task.sleep(for: .milliseconds(100))
        let before = recorded.sounding.count
        try? await Task.sleep(for: .milliseconds(200))
        return recorded.sounding.count == before
    }
}

extension Trait where Self == ConditionTrait {
    static var needsSoundServer: Self { .enabled(if: PulseStage.isInstalled) }
}
