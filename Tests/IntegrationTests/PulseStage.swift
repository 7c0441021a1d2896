// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Logging
import Media
import Playback
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
            await record(.milliseconds(100))
        }
        return heard
    }

    /// Returns true if no sound is recorded for a while, after samples in transit have been recorded.
    /// - Parameter capture: the recording; `nil`: that of the first server.
    func isSilent(in capture: PulseCapture? = nil) async -> Bool {
        let capture = capture ?? self.capture
        await record(.milliseconds(100), in: capture)
        let before = Frames(samples: capture.samples()).sounding.count
        await record(.milliseconds(200), in: capture)
        return Frames(samples: capture.samples()).sounding.count == before
    }

    /// Waits until the recording is longer by `time`, which takes longer on a busy machine.
    func record(_ time: Duration, in capture: PulseCapture? = nil) async {
        let capture = capture ?? self.capture
        let end = capture.frameCount + Int(time / .milliseconds(1)) * server.rate / 1000
        #expect(await eventually { capture.frameCount >= end })
    }
}

extension PulseStage {
    /// Plays items on new servers until the recording contains all samples once, in order, without a gap.
    static func expectGapless(
        _ items: [PlayerRun.Item], _ wanted: Frames, atMost limit: Duration = TimeLimit.shortRun,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        try await expectOnce(location) { stage in
            let run = stage.start(items)
            let isOver = await run.playOut(atMost: limit)
            let heard = await stage.heard(wanted.sounding.count)
            #expect(isOver && run.failures == [], sourceLocation: location)
            #expect(run.events.count { $0 == .ended } == 1, sourceLocation: location)
            let place = firstDifference(heard.withoutEnds, wanted.withoutEnds)
            return place == nil && run.stalls == 0
                ? nil : "\(run.stalls) stalls, a difference at frame \(place ?? -1)"
        }
    }

    /// Runs on new servers until a recording has no fault.
    /// - Parameter run: returns the fault of the recording.
    static func expectOnce(
        _ location: SourceLocation = #_sourceLocation, _ run: (PulseStage) async throws -> String?
    ) async throws {
        let faults = try await repeatedFaults { try await run(PulseStage()) }
        #expect(faults == [], sourceLocation: location)
    }
}

extension Trait where Self == ConditionTrait {
    static var needsSoundServer: Self { .enabled(if: PulseStage.isInstalled) }
}
