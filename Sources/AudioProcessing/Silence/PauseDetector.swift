// SPDX-License-Identifier: GPL-3.0-or-later

/// A detector of pauses in speech, in steps of 5 ms.
///
/// The levels of speech and noise in the last seconds decide, so the detection does not depend on the gain. Rests in
/// music are not pauses, and held notes are not either, however quiet they are.
struct PauseDetector: Sendable {
    /// The length of a step, in frames.
    let step: Int
    private var band: SpeechBand
    private var levels = SpeechLevels()
    private var slopes = LevelSlopes()
    private var music: MusicDetector
    /// The frames of the incomplete step.
    private(set) var pending = 0
    private var lastEnergy: Float?
    /// The number of steps that the current pause has lasted.
    private var pauseSteps = 0
    private var loudSteps = 0

    init(rate: Int, channels: Int) {
        step = max(1, rate / 200)
        band = SpeechBand(rate: rate, channels: channels)
        music = MusicDetector(rate: band.mono.rate)
    }

    /// The number of frames that complete the current step.
    var framesToStep: Int { step - pending }

    /// Takes at most `framesToStep` frames.
    /// - Returns: whether the last two steps belong to a pause, or nil if the step is incomplete.
    mutating func add(_ samples: UnsafePointer<Float>, frames: Int) -> Bool? {
        band.add(samples, frames: frames)
        pending += frames
        guard pending == step else { return nil }
        pending = 0
        let energy = band.takeEnergy()
        pauseSteps = isPause(lastEnergy, energy) ? pauseSteps + 1 : 0
        lastEnergy = energy
        return pauseSteps > 0
    }

    private mutating func isPause(_ last: Float?, _ energy: Float?) -> Bool {
        guard let last, let energy else { return false }
        levels.add((last + energy) / Float(2 * step), isLongPause: pauseSteps > 200)
        slopes.add(levels.level, isLoud: levels.isLoud)
        music.add(band.mono.samples, level: levels.level, isLoud: levels.isLoud)
        band.removeMono()
        if levels.isLoud { loudSteps += 1 }
        guard levels.isQuiet, isSpeech else { return false }
        // Before the 14th step, the tail contains the end of the word.
        return pauseSteps < 14 || pauseSteps % 2 == 1 || !band.tail.isNote
    }

    /// True if the loud sound is neither music nor percussion.
    private var isSpeech: Bool { loudSteps >= 600 && music.share < 0.1 && slopes.balance >= -0.03 }

    /// Forgets the signal, but not the levels.
    mutating func restart() {
        band.reset()
        music.restart()
        (pending, pauseSteps, lastEnergy) = (0, 0, nil)
    }
}
