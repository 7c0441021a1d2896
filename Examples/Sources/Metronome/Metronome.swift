// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Playing

/// A metronome: `Metronome [--bpm N] [--beats N] [--output pulse[:SINK]|null|wav:PATH|offline]`.
///
/// Each click begins at the exact frame of its beat, the first of four is accented, and the program prints a line for
/// each beat when it is rendered. Three parts work together:
/// - a `BlockScheduler` performs an action at an exact frame, on the realtime thread;
/// - `ClickSource`, a `RenderSource` that this program defines, computes the sound;
/// - `Conductor` adds beats to the scheduler, off the realtime thread.
@main
struct Metronome {
    static func main() async {
        let usage = "Metronome [--bpm N] [--beats N] [--output pulse[:SINK]|null|wav:PATH|offline]"
        await runExample(usage, options: ["bpm", "beats"]) { arguments in
            let format = AudioFormat(sampleRate: 48_000, channels: 2)
            let tempo = Tempo(
                beatsPerMinute: try arguments.number("bpm", in: 20...400, else: 120), sampleRate: format.sampleRate)
            let beats = try arguments.number("beats", in: 1...1_000_000, else: 8)

            let graph = arguments.output.graph(format)
            let click = ClickSource(format: format)
            graph.output = click
            let conductor = Conductor(tempo, beats: beats, click, BlockScheduler(for: graph))
            conductor.begin()
            try await arguments.output.play(graph, frames: tempo.frame(ofBeat: beats))
        }
    }
}
