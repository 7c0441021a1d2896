// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// The program itself under the watchdog: what a device's thread does in it.
@Suite("Nothing in the render path of the program locks, allocates or waits", .secondLane)
struct RenderPathTests {
    @Test(
        "while it plays, repeats and chimes, into the void and to a sound server",
        arguments: [
            ["play", DemoEpisodes.path(1), DemoEpisodes.path(2), "--output", "null:fast"],
            ["play", DemoEpisodes.path(2), "--until", "0.7", "--output", "pulse:\(PulseServer.sinkName)"],
            ["loop", DemoEpisodes.path(1), "1-1.1", "--times", "8", "--output", "null"],
        ])
    func watched(arguments: [String]) throws {
        let server = try PulseServer()
        let scratch = try ScratchDirectory()
        let report = try RenderWatchdog().watch(
            [Earshot.program] + arguments, environment: ["PULSE_SERVER": server.address, "XDG_DATA_HOME": scratch.path])
        #expect(report.marked > 10, "\(report)")
        #expect(report.violations == 0, "\(report)")
    }
}
