// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// Runs the programs under the watchdog, which checks the device thread.
@Suite("Render path of the programs")
struct RenderPathTests {
    private let scratch: ScratchDirectory
    /// A placeholder in the arguments for a writable file.
    private static let file = "FILE"

    init() throws { scratch = ScratchDirectory() }

    private func watch(_ program: String, _ arguments: [String], environment: [String: String] = [:]) throws {
        let report = try RenderWatchdog().watch(
            [program] + arguments.map { $0 == Self.file ? scratch.path("out.wav") : $0 },
            environment: environment.merging(["XDG_DATA_HOME": scratch.path]) { $1 })
        #expect(report.status == 0 && report.marked > 10, "\(report)")
        #expect(report.violations == 0, "\(report)")
    }

    @Test(
        "Playing, looping and rendering to each output neither locks, allocates nor waits in the render path",
        arguments: [
            ["play", DemoEpisodes.path(1), DemoEpisodes.path(2), "--output", "null:fast"],
            ["play", DemoEpisodes.path(1), "--until", "2", "--output", "raw:-"],
            ["play", DemoEpisodes.path(2), "--until", "3", "--output", "pulse:\(PulseServer.sinkName)"],
            ["loop", DemoEpisodes.path(1), "1-1.1", "--times", "8", "--output", "null"],
            ["loop", DemoEpisodes.path(1), "1-1.5", "--times", "8", "--output", "raw:-"],
            ["render", DemoEpisodes.path(1), "-o", file],
        ])
    func program(arguments: [String]) throws {
        let server = try PulseServer()
        try watch(Earshot.program, arguments, environment: ["PULSE_SERVER": server.address])
    }

    @Test(
        "The examples neither lock, allocate nor wait in the render path",
        arguments: [
            ["Metronome", "--beats", "9"], ["SamplerKeys"], ["RegionPlaylist", DemoEpisodes.path(3)],
            ["Recorder", "1", file, DemoEpisodes.path(3)],
        ])
    func example(words: [String]) throws {
        let output = ["--output", "wav:" + scratch.path("rendered.wav")]
        try watch(ExampleRun.program(words[0]), words.dropFirst() + output)
    }
}
