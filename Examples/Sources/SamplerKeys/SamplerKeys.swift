// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Playing

/// A sampler with 64 voices: `SamplerKeys [--voices N] [--notes N] [--output pulse[:SINK]|null|wav:PATH|offline]`.
///
/// The program plays notes of a pentatonic scale, each 25 ms after the one before and at another position between the
/// loudspeakers. A note lasts two seconds, so from the 65th on there are more notes than voices, and the oldest voice
/// fades. At the end the program prints how the notes ended.
@main
struct SamplerKeys {
    static func main() async {
        let usage = "SamplerKeys [--voices N] [--notes N] [--output pulse[:SINK]|null|wav:PATH|offline]"
        await runExample(usage, options: ["voices", "notes"]) { arguments in
            let format = AudioFormat(sampleRate: 48_000, channels: 2)
            let voices = try arguments.number("voices", in: 1...1024, else: 64)
            let notes = try arguments.number("notes", in: 1...1024, else: 96)

            // Sounds are loaded once, and any number of voices play them.
            let scale = try Key.pentatonic.map { try $0.sound(sampleRate: format.sampleRate) }
            let graph = arguments.output.graph(format)
            let tally = Tally()
            let sampler = Sampler(
                format: format, voices: voices, waiting: 1024, stealing: .oldest, clock: graph.clock,
                events: graph.events
            ) { end in tally.note(end.reason) }
            graph.output = sampler

            for note in (0..<notes).map(Note.init) {
                try sampler.start(
                    scale[note.key % scale.count], at: .sampleTime(note.frame), gain: note.gain, pan: note.pan)
            }
            let end = Note(number: notes - 1).frame + Int64(scale[0].frames)
            try await arguments.output.play(graph, frames: end)
            print("\(notes) notes with \(voices) voices: \(tally)")
        }
    }
}
