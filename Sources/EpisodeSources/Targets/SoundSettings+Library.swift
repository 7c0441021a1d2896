// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EpisodeLibrary

extension LibraryTargets {
    /// Returns the settings that apply to all podcasts without their own.
    func generalSettings() throws(LibraryError) -> EffectiveSettings { try library.effectiveSettings() }
}

extension ResolvedEpisode {
    /// Returns the same episode, processed as settings say; those of its podcast replace them.
    func processed(by settings: EffectiveSettings) -> ResolvedEpisode {
        var episode = self
        episode.sound = SoundSettings(settings)
        episode.skipsHiddenChapters = settings.skipsHiddenChapters
        return episode
    }
}

extension EffectiveSettings {
    /// True to leave out the chapters that the table of contents hides.
    var skipsHiddenChapters: Bool { self[.skipHiddenChapters] == .choice("on") }
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
