// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// The programs themselves under the watchdog: what a device's thread does in them.
@Suite("Nothing in the render path of the programs locks, allocates or waits", .secondLane)
struct RenderPathTests {
    private let scratch: ScratchDirectory
    /// Among the arguments it stands for a file that can be written.
    private static let file = "FILE"

    init() throws { scratch = try ScratchDirectory() }

    private func watch(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let report = try RenderWatchdog().watch(
            [program] + arguments.map { $0 == Self.file ? scratch.path("out.wav") : $0 },
            environment: environment.merging(["XDG_DATA_HOME": scratch.path]) { $1 })
        #expect(report.marked > 10, "\(report)")
        #expect(report.violations == 0, "\(report)")
    }

    @Test(
        "while it plays, repeats, chimes and renders, into the void, to a file and to a sound server",
        arguments: [
            ["play", DemoEpisodes.path(1), DemoEpisodes.path(2), "--output", "null:fast"],
            ["play", DemoEpisodes.path(1), "--until", "2", "--output", "raw:-"],
            ["play", DemoEpisodes.path(2), "--until", "0.7", "--output", "pulse:\(PulseServer.sinkName)"],
            ["loop", DemoEpisodes.path(1), "1-1.1", "--times", "8", "--output", "null"],
            ["loop", DemoEpisodes.path(1), "1-1.5", "--times", "8", "--output", "raw:-"],
            ["render", DemoEpisodes.path(1), "-o", file],
        ])
    func program(arguments: [String]) throws {
        let server = try PulseServer()
        try watch(Earshot.program, arguments, environment: ["PULSE_SERVER": server.address])
    }

    @Test(
        "while the examples render",
        arguments: [
            ["Metronome", "--beats", "9"], ["SamplerKeys"], ["RegionPlaylist", DemoEpisodes.path(3)],
            ["Recorder", "1", file, DemoEpisodes.path(3)],
        ])
    func example(words: [String]) throws {
        let output = ["--output", "wav:" + scratch.path("rendered.wav")]
        try watch(ExampleRun.program(words[0]), words.dropFirst() + output)
    }
}
