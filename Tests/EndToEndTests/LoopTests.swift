// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// Compares the output of `earshot loop` with the samples that the mpg123 program decodes.
@Suite("Repeating a section")
struct LoopTests {
    private let earshot: Earshot

    init() throws { earshot = try Earshot() }

    private func loop(_ arguments: String...) throws -> (outcome: ProgramRun.Outcome, samples: [UInt8]) {
        let output = ["--output", "raw:" + earshot.scratch.path("out.raw"), "--keep-dir", earshot.keepPath]
        let outcome = try earshot.run(["loop"] + arguments + output)
        return (outcome, earshot.scratch.read("out.raw"))
    }

    private func section(_ part: Int, _ frames: Range<Int>) throws -> [UInt8] {
        let bytes = DemoEpisodes.bytesPerFrame
        return Array(try DemoEpisodes.samples(part)[frames.lowerBound * bytes..<frames.upperBound * bytes])
    }

    private func reversed(_ samples: [UInt8]) -> [UInt8] {
        let frame = DemoEpisodes.bytesPerFrame
        return stride(from: samples.count - frame, through: 0, by: -frame).flatMap { samples[$0..<$0 + frame] }
    }

    @Test(
        "A section repeats the requested number of times, exact to the sample",
        arguments: [("2-2.5", 88200..<110_250), ("0-0.01", 0..<441), ("12.5-", 551_250..<573_300)])
    func forward(section text: String, frames: Range<Int>) throws {
        let end = try DemoEpisodes.samples(1).count / DemoEpisodes.bytesPerFrame
        let (outcome, samples) = try loop(DemoEpisodes.path(1), text, "--times", "3")
        #expect(outcome.status == 0 && outcome.errors == "")
        let once = try section(1, frames.lowerBound..<(text.hasSuffix("-") ? end : frames.upperBound))
        let isSame = samples == once + once + once
        #expect(isSame)
    }

    @Test("--reverse plays the same samples in reverse order")
    func backward() throws {
        let (outcome, samples) = try loop(DemoEpisodes.path(2), "3-4.2", "--times", "2", "--reverse")
        #expect(outcome.status == 0)
        let once = reversed(try section(2, 132_300..<185_220))
        let isSame = samples == once + once
        #expect(isSame)
    }

    @Test("A truncated MP3 file repeats its available part, and a message reports the loss")
    func cutOff() throws {
        let bytes = DemoEpisodes.bytes(1)
        let path = try earshot.scratch.write(Array(bytes[..<(bytes.count / 2)]), to: "half.mp3")
        let (outcome, samples) = try loop(path, "0-", "--times", "2")
        #expect(outcome.status == 65 && outcome.errors.contains("shorter than its tag declares"))
        let once = Array(samples.prefix(samples.count / 2))
        let isSame = try samples == once + once && DemoEpisodes.samples(1).starts(with: once)
        #expect(isSame && once.count > 5 * DemoEpisodes.sampleRate * DemoEpisodes.bytesPerFrame)
    }

    @Test("A section far into an episode plays while the episode is downloading")
    func arriving() throws {
        let server = try DemoEpisodes.server { _, script in script.rate = 200_000 }
        let (outcome, samples) = try loop(server.url("/part5.mp3"), "9-9.5", "--times", "2")
        #expect(outcome.status == 0 && outcome.errors == "")
        let once = try section(5, 396_900..<418_950)
        let isSame = samples == once + once
        #expect(isSame)
    }

    @Test("Half speed doubles the duration")
    func slow() throws {
        let (outcome, samples) = try loop(DemoEpisodes.path(1), "1-2", "--times", "1", "--speed", "0.5")
        #expect(outcome.status == 0)
        #expect(abs(samples.count / DemoEpisodes.bytesPerFrame - 88200) <= 2)
    }

    @Test("A full disk is reported once, as an output error")
    func fullDisk() throws {
        let outcome = try earshot.run(
            ["loop", DemoEpisodes.path(1), "1-2", "--times", "2", "--output", "raw:/dev/full"])
        try expectOneSentence(outcome, about: "sound output", "cannot write /dev/full: the disk is full", 74)
    }

    @Test("Without --times the loop continues until a signal ends it")
    func endless() throws {
        let run = try earshot.start(["loop", DemoEpisodes.path(1), "1-1.05", "--output", "null"])
        let second = ContinuousClock.now + .seconds(1)
        #expect(run.wait { _ in ContinuousClock.now > second } && run.isRunning)
        run.signal(15)
        #expect(run.wait().status == 143)
    }

    @Test(
        "An impossible request fails with one message and a status",
        arguments: [
            (["DEMO", "2-1"], 64), (["DEMO", "now"], 64), (["DEMO", "20-21"], 66), (["nowhere.mp3", "1-2"], 66),
            (["DEMO", "1-2", "--speed", "9"], 64), (["DEMO", "1-2", "--times", "0"], 64),
            (["DEMO", "1-2", "--output", "wav:x.wav"], 64), (["DEMO", "1-2", "--crossfade", "-1"], 64),
        ] as [([String], Int32)])
    func refused(arguments: [String], status: Int32) throws {
        let words = arguments.map { $0.replacing("DEMO", with: DemoEpisodes.path(1)) }
        let outcome = try earshot.run(["loop"] + words)
        #expect(outcome.status == status && !outcome.errors.isEmpty)
    }
}
