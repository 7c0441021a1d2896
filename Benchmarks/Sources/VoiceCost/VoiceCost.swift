// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import CVoiceBaseline
import Media

/// Measures the cost of voices in memory: `VoiceCost`.
///
/// Prints, for each kind of buffer and number of voices, the processor time per second of audio in milliseconds: of a
/// `Sampler`, of an equivalent loop in C at -O3, and of SDL2_mixer if it is installed (without pans, which it
/// implements as an effect). Then prints the memory of a voice without its buffer.
@main
struct VoiceCost {
    static func main() throws {
        print("voices kind    sampler       C  ratio  SDL2_mixer  ratio   difference")
        for channels in [1, 2] {
            for voices in [64, 1000] { try Case(voices: voices, channels: channels).measure() }
        }
        print("bytes a voice: \(try bytesPerVoice())")
    }

    static func bytesPerVoice() throws -> Int {
        let events = EventThread(every: nil)
        let count = 100_000
        let before = baseline_allocated()
        let sampler = Sampler(format: Case.format, voices: count, waiting: 1, events: events)
        let after = baseline_allocated()
        sampler.stopAll()
        return (after - before) / count
    }
}
