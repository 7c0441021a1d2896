// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
public import EpisodeLibrary
import Media
public import Playback

extension LibraryTargets {
    /// Returns the settings that apply to all podcasts without their own.
    func generalSettings() throws(LibraryError) -> EffectiveSettings { try library.effectiveSettings() }

    /// Returns the settings of items, except those whose episode has left the library.
    /// - Parameter episodes: the episode of each item; `nil` for audio that the library does not have.
    public func itemSettings(
        of episodes: [PlaybackItem.ID: Int64?], in settings: SettingsOfAll
    ) throws(LibraryError) -> [PlaybackItem.ID: ItemSettings] {
        var found: [PlaybackItem.ID: ItemSettings] = [:]
        for (item, episode) in episodes { found[item] = try itemSettings(of: episode, in: settings) }
        return found
    }

    private func itemSettings(
        of episode: Int64?, in settings: SettingsOfAll
    ) throws(LibraryError) -> ItemSettings? {
        guard let episode else { return ItemSettings(settings.general) }
        do throws(LibraryError) {
            let summary = try library.episode(episode)
            return ItemSettings(settings[summary.podcast], within: summary.duration)
        } catch where error.kind == .missing {
            return nil
        }
    }
}

extension ResolvedEpisode {
    /// Returns the same episode, processed as settings say; those of its podcast replace them.
    func processed(by settings: EffectiveSettings) -> ResolvedEpisode {
        var episode = self
        episode.settings = ItemSettings(settings)
        return episode
    }
}

extension ItemSettings {
    /// Creates the settings of audio that the library does not have: its start and its end are not skipped.
    init(_ settings: EffectiveSettings) {
        self.init(
            sound: SoundSettings(settings), skipsHiddenChapters: settings[.skipHiddenChapters] == .choice("on"))
    }

    /// Creates the settings of an episode.
    /// - Parameter duration: the expected duration; `nil` if it is unknown.
    init(_ settings: EffectiveSettings, within duration: Duration?) {
        self.init(settings)
        let (intro, outro) = (settings.duration(.skipIntro), settings.duration(.skipOutro))
        let skipsIntro = intro > .zero && duration.map { (intro + outro) * 3 <= $0 } ?? true
        rewind = RewindRule(settings[.rewindOnResume])
        introduction = skipsIntro ? intro : nil
        skippedEnd = SkippedEnd(outro, besides: intro)
    }
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

extension RewindRule {
    fileprivate init(_ setting: SettingValue) {
        switch setting {
        case .duration(let distance): self = .fixed(distance)
        case .automatic: self = .automatic
        default: self = .fixed(.zero)
        }
    }
}

extension EffectiveSettings {
    fileprivate func duration(_ key: SettingKey) -> Duration {
        if case .duration(let duration) = self[key] { duration } else { .zero }
    }
}
