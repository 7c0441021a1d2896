// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioEngine
import Glibc
import Media

/// A key and its sound.
struct Key {
    let hertz: Double

    /// The keys of two octaves of a pentatonic scale, from A on.
    static let pentatonic = [0, 3, 5, 7, 10, 12, 15, 17, 19, 22].map { semitones in
        Key(hertz: 220 * pow(2, Double(semitones) / 12))
    }

    /// Returns two seconds of a plucked string: three harmonics that fade, in one channel.
    func sound(sampleRate: Int) throws -> SampleBuffer {
        let list = AudioBufferList(
            format: AudioFormat(sampleRate: sampleRate, channels: 1), frameCapacity: sampleRate * 2)
        list.withSlice { slice in
            let samples = slice.plane(0).assumingMemoryBound(to: Float.self)
            for frame in 0..<slice.frames {
                let time = Double(frame) / Double(sampleRate)
                samples[frame] = Float(wave(at: time) * exp(-1.5 * time) * (1 - time / 2))
            }
        }
        return try SampleBuffer(list)
    }

    private func wave(at time: Double) -> Double {
        let phase = 2 * .pi * hertz * time
        return (sin(phase) + sin(2 * phase) / 2 + sin(3 * phase) / 4) / 1.75
    }
}
