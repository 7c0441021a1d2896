// SPDX-License-Identifier: GPL-3.0-or-later

/// The stage that brings an item to its target loudness.
struct LoudnessControl: ProcessingStage {
    let normalization: LoudnessNormalization
    private let loudness: ItemLoudness
    private var schedule: GainSchedule
    private var stage: GainStage
    /// The gain in dB to add because the limiter had to reduce peaks for seconds, −12...0.
    var correction = 0.0

    init(_ normalization: LoudnessNormalization, of loudness: ItemLoudness, sampleRate: Int) {
        (self.normalization, self.loudness) = (normalization, loudness)
        let (gain, isFinal) = loudness.gain(normalization)
        schedule = GainSchedule(gain: gain, isConstant: isFinal, sampleRate: sampleRate)
        stage = GainStage(gain: schedule.gain, sampleRate: sampleRate)
    }

    /// The gain in dB to which the next frames move.
    var gain: Double { stage.gain }

    mutating func process(_ input: MappedAudio.Slice, into output: inout MappedAudio) {
        if !schedule.isConstant {
            schedule.advance(frames: input.frames, towards: loudness.gain(normalization).decibels)
        }
        stage.gain = schedule.gain + correction
        stage.process(input, into: &output)
    }

    mutating func finish(into output: inout MappedAudio) {}

    mutating func restart() { stage.restart() }
}
