// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Logging
import Testing

/// A sound server of a test's own, what it plays, and players that play to it.
struct PulseStage {
    let scratch: ScratchDirectory
    let server: PulseServer
    let capture: PulseCapture

    static var isInstalled: Bool {
        ["pulseaudio", "pactl", "parec"].allSatisfy { ProgramRun.isInstalled("/usr/bin/" + $0) }
    }

    init() throws {
        scratch = try ScratchDirectory()
        server = try PulseServer()
        capture = try server.capture()
    }

    func start(_ items: [PlayerRun.Item], isPaused: Bool = false) -> PlayerRun {
        let sink = PulseSink(
            server: server.address, sinkName: PulseServer.sinkName,
            logger: Logger(label: "test") { _ in SwiftLogNoOpLogHandler() })
        return PlayerRun(items, into: sink, keeping: scratch, isPaused: isPaused)
    }

    /// What was recorded up to now.
    var recorded: Frames { Frames(samples: capture.samples()) }

    /// What was recorded, once there are `count` frames that are not silence.
    func heard(_ count: Int) async -> Frames {
        var heard = Frames([])
        for _ in 0..<20 {
            heard = recorded
            if heard.sounding.count >= count { break }
            try? await Task.sleep(for: .milliseconds(100))
        }
        return heard
    }

    /// Whether nothing is heard for a while, once the recording has what was on its way.
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
