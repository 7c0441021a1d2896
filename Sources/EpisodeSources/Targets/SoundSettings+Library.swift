// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EpisodeLibrary

extension LibraryTargets {
    /// Returns the processing of sound that the listener set for all podcasts.
    func generalSound() throws(LibraryError) -> SoundSettings { SoundSettings(try library.effectiveSettings()) }
}

extension SoundSettings {
    /// Creates the processing that the settings ask for.
    init(_ settings: EffectiveSettings) {
        self.init()
        if case .number(let speed) = settings[.speed] { self.speed = speed }
        if case .choice(let word) = settings[.trimSilence] { silenceTrimming = SilenceTrimming(rawValue: word) ?? .off }
        if case .number(let target) = settings[.loudness] {
            loudness = LoudnessNormalization(
                target: target, unit: settings[.loudnessPerPodcast] == .off ? .episode : .podcast)
        }
        boostsVoice = settings[.voiceBoost] != .off
    }
}
