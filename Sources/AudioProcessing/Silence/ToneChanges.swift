// SPDX-License-Identifier: GPL-3.0-or-later

/// A measure of how much the tone color changes, which tells speech from notes and percussion.
///
/// The mouth takes another shape about every 80 ms: bright consonants and darker vowels alternate. An instrument keeps
/// its color during a note, and most keep it from note to note, in every rhythm.
struct ToneChanges: Sendable {
    /// The steps of 5 ms in 80 ms.
    private static let steps = 16
    /// The brightness of the last 80 ms of sound, in dB; the one at `next` is the oldest.
    private var tones: [Float] = []
    private var next = 0
    /// The mean change in 80 ms, in dB. A step counts e times as much as the 800th before it.
    private(set) var mean: Float = 4

    /// Takes the brightness of a step with sound, in dB. Quiet steps are left out, because noise has another color.
    mutating func add(_ tone: Float) {
        guard tones.count == Self.steps else { return tones.append(tone) }
        mean += (min(abs(tone - tones[next]), 12) - mean) / 800
        tones[next] = tone
        next = (next + 1) % Self.steps
    }
}
