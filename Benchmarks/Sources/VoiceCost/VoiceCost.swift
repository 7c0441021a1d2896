// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import CVoiceBaseline
import Media

/// What voices in memory cost: `VoiceCost`.
///
/// Prints for each kind of buffer the processor time that a second of sound takes with so many voices, in milliseconds:
/// a `Sampler`, a loop in C at -O3 that does the same and no more, and SDL2_mixer where it is installed (without pans,
/// which it has as an effect). Then what a voice takes of memory beside its buffer.
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
