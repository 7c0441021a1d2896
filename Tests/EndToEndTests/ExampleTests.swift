// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

/// Compares the output of the examples with samples that this suite computes independently.
@Suite("The examples, rendered offline")
struct ExampleTests {
    private let example: ExampleRun

    init() throws { example = try ExampleRun() }

    // MARK: Metronome

    @Test("Each click of the metronome begins at the frame of its beat, and the first of four is louder and higher",
        arguments: [(133, 6), (20, 1), (400, 70)])
    func metronome(beatsPerMinute: Int, beats: Int) throws {
        let run = try example.render("Metronome", ["--bpm", "\(beatsPerMinute)", "--beats", "\(beats)"])
        let starts = (0...beats).map { Int((Double($0) * 60 * 48_000 / Double(beatsPerMinute)).rounded()) }
        #expect(run.outcome.status == 0 && run.samples.count == starts[beats] * 2)
        #expect(firstDifference(run.samples, Self.clicks(at: starts), beyond: 1e-6) == nil)
        let told = starts.dropLast().enumerated().map { beat, frame in
            "bar \(beat / 4 + 1), beat \(beat % 4 + 1), frame \(frame)"
        }
        #expect(run.outcome.lines.dropLast() == told[...])
    }

    /// - Parameter starts: the frames of the beats, and the end.
    private static func clicks(at starts: [Int]) -> [Float] {
        var samples = [Float](repeating: 0, count: (starts.last ?? 0) * 2)
        for (beat, start) in starts.dropLast().enumerated() {
            let (hertz, level) = beat % 4 == 0 ? (1760.0, 0.8) : (880.0, 0.4)
            for frame in 0..<960 {
                let left = 1 - Double(frame) / 960
                let value = level * left * left * cos(2 * .pi * hertz * Double(frame) / 48_000)
                for channel in 0...1 { samples[(start + frame) * 2 + channel] = Float(value) }
            }
        }
        return samples
    }

    // MARK: SamplerKeys

    @Test("64 voices play at the same time, and later notes replace the oldest ones")
    func sampler() throws {
        let run = try example.render("SamplerKeys", [])
        #expect(run.outcome.status == 0 && run.samples.count == 210_000 * 2)
        #expect(run.outcome.lines.last == "96 notes with 64 voices: 64 finished, 32 stolen")
        let notes = (0..<96).map(CloudNote.init)
        // Frames before and after the start of the 65th note, then samples of all endings; the step of 49 has no
        // common factor with the repetition.
        let places = Array(75_600..<76_800) + Array(76_800..<77_100) + Array(stride(from: 0, to: 210_000, by: 49))
        let different = places.first { frame in
            let sum = notes.map { $0.heard(at: frame, voices: 64) }.reduce((0, 0)) { ($0.0 + $1.0, $0.1 + $1.1) }
            let error = max(
                abs(Double(run.samples[frame * 2]) - sum.0), abs(Double(run.samples[frame * 2 + 1]) - sum.1))
            return error > 1e-5
        }
        #expect(different == nil)
        #expect(notes.filter { $0.sounds(at: 76_799, voices: 64) }.count == 64)
    }

    // MARK: RegionPlaylist

    @Test("Regions of two files follow each other without a gap, and each one is reported once, at its end")
    func regions() throws {
        let paths = [1, 2].map(DemoEpisodes.path)
        let run = try example.render("RegionPlaylist", paths)
        var (wanted, told) = ([Float](), [String]())
        for number in 1...2 {
            let file = ExampleRun.floats(try DemoEpisodes.samples(number))
            let half = file[(file.count / 4 * 2)...]
            for (name, samples) in [
                ("second half", Array(half)),
                ("beginning, three times", Array(repeating: file[..<(4410 * 2)], count: 3).flatMap { $0 }),
                ("second half again", [Float](repeating: 0, count: 22_050 * 2) + half),
            ] {
                wanted += samples
                told.append("\(paths[number - 1]), \(name): finished at frame \(wanted.count / 2)")
            }
        }
        wanted += [Float](repeating: 0, count: 8820 * 2)
        #expect(run.outcome.status == 0 && run.outcome.lines.dropLast() == told[...])
        #expect(firstDifference(run.samples, wanted) == nil)
    }

    // MARK: Recorder

    @Test("The recorder writes the rendered samples without drops, however fast the rendering is")
    func recorder() throws {
        let out = example.scratch.path("take.wav")
        let run = try example.render("Recorder", ["30", out, DemoEpisodes.path(3)])
        #expect(run.outcome.status == 0 && run.outcome.lines.last == "\(out): 1440000 frames, 0 dropped")
        #expect(run.samples.count == 1_440_000 * 2 && firstDifference(example.samples("take.wav"), run.samples) == nil)
    }

    @Test("A recorded tone is exact after its fade-in, and survives FLAC with 24 bits")
    func tone() throws {
        let (wav, flac) = (example.scratch.path("take.wav"), example.scratch.path("take.flac"))
        #expect(try example.run("Recorder", ["0.5", wav, "--output", "offline"]).status == 0)
        #expect(try example.run("Recorder", ["0.5", flac, "--output", "offline"]).status == 0)
        let samples = example.samples("take.wav")
        let wanted = (0..<24_000).flatMap { frame -> [Float] in
            let value = sin(2 * .pi * 440 * Double(frame) / 48_000) / 4
            return [Float(value * cos(.pi / 8)), Float(value * sin(.pi / 8))]
        }
        #expect(firstDifference(Array(samples.dropFirst(480)), Array(wanted.dropFirst(480)), beyond: 1e-6) == nil)
        let decoded = try ProgramRun.run(["sox", flac, "-t", "f32", "-"])
        #expect(firstDifference(ExampleRun.floats(decoded.output), samples, beyond: 0x1p-23) == nil)
    }

    // MARK: All

    @Test("A second run produces identical samples", arguments: [
        ("Metronome", []), ("SamplerKeys", []), ("RegionPlaylist", ["DEMO"]), ("Recorder", ["2", "OUT.flac", "DEMO"]),
    ] as [(String, [String])])
    func again(name: String, arguments: [String]) throws {
        let words = words(arguments) + ["--output", "offline"]
        let (first, second) = (try example.run(name, words), try example.run(name, words))
        #expect(first.status == 0 && first.outputText.contains("checksum") && first.output == second.output)
    }

    @Test("An impossible request fails with one message and a status", arguments: [
        ("Metronome", ["--bpm", "0"], 64), ("Metronome", ["--bpm"], 64), ("Metronome", ["--loud", "1"], 64),
        ("Metronome", ["now"], 64), ("Metronome", ["--output", "tape"], 64),
        ("Metronome", ["--output", "wav:/nowhere/at/all.wav"], 1), ("SamplerKeys", ["--output", "pulse"], 1),
        ("SamplerKeys", ["--voices", "many"], 64), ("RegionPlaylist", [], 64), ("RegionPlaylist", ["nowhere.wav"], 1),
        ("RegionPlaylist", ["/etc/passwd"], 1), ("Recorder", ["1"], 64), ("Recorder", ["nan", "OUT.wav"], 64),
        ("Recorder", ["1", "OUT"], 64), ("Recorder", ["1", "OUT.mp3"], 1),
        ("Recorder", ["1", "OUT.wav", "none.mp3"], 1),
    ] as [(String, [String], Int32)])
    func refused(name: String, arguments: [String], status: Int32) throws {
        let outcome = try example.run(name, words(arguments))
        #expect(outcome.status == status && outcome.output == [], "\(outcome.errors)")
        #expect(outcome.errors.hasPrefix("\(name): ") && outcome.errors.split(separator: "\n").count == 1)
        #expect(example.scratch.names == [])
    }

    private func words(_ arguments: [String]) -> [String] {
        let out = example.scratch.path("out")
        return arguments.map { $0.replacing("DEMO", with: DemoEpisodes.path(1)).replacing("OUT", with: out) }
    }
}

/// A note of SamplerKeys, computed from the documentation of the example.
private struct CloudNote {
    let number: Int

    private static let scale = [0, 3, 5, 7, 10, 12, 15, 17, 19, 22]
    private var start: Int { number * 1200 }

    /// Returns the frame at which a later note takes the voice of this one; the largest integer if no note does.
    private func stolen(_ voices: Int) -> Int { number + voices < 96 ? (number + voices) * 1200 : .max }

    func sounds(at frame: Int, voices: Int) -> Bool {
        frame >= start && frame < start + 96_000 && frame < stolen(voices)
    }

    func heard(at frame: Int, voices: Int) -> (left: Double, right: Double) {
        let faded = stolen(voices) == .max ? 0 : max(0, frame - stolen(voices) + 1)
        guard frame >= start, frame < start + 96_000, faded < 241 else { return (0, 0) }
        let time = Double(frame - start) / 48_000
        let phase = 2 * .pi * 220 * pow(2, Double(Self.scale[number * 3 % 10]) / 12) * time
        let wave = (sin(phase) + sin(2 * phase) / 2 + sin(3 * phase) / 4) / 1.75
        let gain = (number % 4 == 0 ? 0.09 : 0.05) * (1 - Double(faded) / 241)
        let angle = Double(number % 9) / 4 * .pi / 4
        let value = wave * exp(-1.5 * time) * (1 - time / 2) * gain
        return (value * cos(angle), value * sin(angle))
    }
}
