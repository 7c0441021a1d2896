// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

/// Tests the output of the examples on a real sound server.
@Suite("The examples on a sound server", .enabled(if: ProgramRun.isInstalled("/usr/bin/pulseaudio")))
struct LiveExampleTests {
    private let example: ExampleRun

    init() throws { example = try ExampleRun() }

    /// A sound server and the recording of its output.
    private struct Stage {
        let server: PulseServer
        private let capture: PulseCapture

        init() throws {
            server = try PulseServer(rate: 48_000)
            capture = try server.capture()
        }

        /// Returns the recorded samples from the first one that is not silent, once there are `frames` frames and a
        /// tenth of a second more.
        func heard(_ frames: Int) -> ArraySlice<Float> {
            let samples = capture.wait { samples in
                let first = samples.firstIndex { $0 != 0 } ?? samples.endIndex
                return samples.endIndex - first >= (frames + server.rate / 10) * 2
            }
            let first = samples.firstIndex { $0 != 0 } ?? samples.endIndex
            return samples[(first / 2 * 2)...]
        }
    }

    @Test("The clicks of the metronome have exact distances, and the program ends after the last one")
    func metronome() async throws {
        let expected = (0..<5).map { Int((Double($0) * 60 * 48_000 / 241).rounded()) }
        let faults = try await repeatedFaults {
            let stage = try Stage()
            let outcome = try example.play("Metronome", ["--bpm", "241", "--beats", "5"], on: stage.server)
            #expect(outcome.status == 0 && outcome.errors == "" && outcome.lines.count == 5)
            #expect(outcome.time > .milliseconds(1200))
            let left = stage.heard(48_000).enumerated().filter { $0.offset % 2 == 0 }.map(\.element)
            let starts = starts(ofClicks: left)
            let levels = starts.map { left[$0] }
            return starts == expected && levels == [0.8, 0.4, 0.4, 0.4, 0.8] ? nil : "\(starts) \(levels)"
        }
        #expect(faults == [])
    }

    private func starts(ofClicks left: [Float]) -> [Int] {
        // A click begins at the first sample after a hundredth of a second of silence.
        var (starts, silent) = ([Int](), 480)
        for (frame, sample) in left.enumerated() {
            if sample != 0, silent >= 480 { starts.append(frame) }
            silent = sample == 0 ? silent + 1 : 0
        }
        return starts
    }

    @Test("The played cloud of voices equals the rendered one")
    func sampler() async throws {
        let notes = ["--notes", "70", "--voices", "8"]
        let rendered = try example.render("SamplerKeys", notes).samples
        try await expectHeard(rendered) { server in
            let outcome = try example.play("SamplerKeys", notes, on: server)
            #expect(outcome.lines == ["70 notes with 8 voices: 8 finished, 62 stolen"])
            return outcome
        }
    }

    @Test("The programs of the manual play sound", arguments: ["FirstSound", "FilePlayer"])
    func manual(name: String) async throws {
        let section = "\(DemoEpisodes.path(3))@1-1.5"
        for file in ["bell.flac", "song.flac"] {
            let arguments = [Earshot.program, "render", section, "-o", example.scratch.path(file)]
            #expect(try ProgramRun.run(arguments).status == 0)
        }
        let program = try ExampleRun.program(name)
        let faults = try await repeatedFaults {
            let stage = try Stage()
            let settings = ["PULSE_SERVER": stage.server.address, "HOME": stage.server.directory]
            let outcome = try ProgramRun.run(
                ["/bin/sh", "-c", "cd \(example.scratch.path) && exec \(program)"],
                environment: ProgramRun.plainEnvironment.merging(settings) { $1 })
            #expect(outcome.status == 0 && outcome.errors == "", "\(outcome.errors)")
            let sound = stage.heard(stage.server.rate / 2)
            let last = sound.lastIndex { $0 != 0 } ?? sound.startIndex
            // Half a second in stereo, without the silent samples at both ends.
            let length = last - sound.startIndex
            return (45_000...48_400).contains(length) ? nil : "\(length) samples"
        }
        #expect(faults == [])
    }

    @Test("The played regions equal the rendered ones, and each one is reported once, at its end")
    func regions() async throws {
        let file = example.scratch.path("short.wav")
        #expect(try example.run("Metronome", ["--bpm", "400", "--beats", "4", "--output", "wav:\(file)"]).status == 0)
        let rendered = try example.render("RegionPlaylist", [file])
        try await expectHeard(rendered.samples) { server in
            let outcome = try example.play("RegionPlaylist", [file], on: server)
            #expect(outcome.lines.count == 3 && outcome.lines[...] == rendered.outcome.lines.dropLast())
            return outcome
        }
    }

    @Test("The recorded samples equal the played samples")
    func recorder() async throws {
        let out = example.scratch.path("take.wav")
        try await expectHeard(example.samples("take.wav")) { server in
            let outcome = try example.play("Recorder", ["1", out, DemoEpisodes.path(3)], on: server)
            #expect(outcome.lines == ["\(out): 48000 frames, 0 dropped"])
            return outcome
        }
    }

    /// Compares the played samples; ignores silence before and after them, which depends on the server.
    /// - Parameter wanted: determined after the run.
    private func expectHeard(
        _ wanted: @autoclosure () -> [Float], _ location: SourceLocation = #_sourceLocation,
        _ run: (PulseServer) throws -> ProgramRun.Outcome
    ) async throws {
        let faults = try await repeatedFaults {
            let stage = try Stage()
            let outcome = try run(stage.server)
            #expect(outcome.status == 0 && outcome.errors == "", sourceLocation: location)
            let wanted = wanted()
            let first = (wanted.firstIndex { $0 != 0 } ?? wanted.endIndex) / 2 * 2
            let last = (wanted.lastIndex { $0 != 0 } ?? -1) + 1
            #expect(last > first, sourceLocation: location)
            let heard = stage.heard((last - first) / 2).prefix(last - first)
            return firstDifference(heard, wanted[first..<last]).map { "a difference at sample \($0)" }
        }
        #expect(faults == [], sourceLocation: location)
    }
}
