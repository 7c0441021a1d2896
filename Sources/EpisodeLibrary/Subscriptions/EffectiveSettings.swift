// SPDX-License-Identifier: GPL-3.0-or-later

/// The effective settings of one podcast, or of all: the podcast's own value, else the general one, else the default.
/// General values that are meant for speech do not apply to a podcast of music. Pure.
public struct EffectiveSettings: Sendable, Equatable {
    /// The origin of a value.
    public enum Origin: String, Sendable {
        case podcast, all, standard
    }

    private let own: [String: String]
    private let general: [String: String]
    private let isMusic: Bool

    /// - Parameters:
    ///   - own: the stored settings of the podcast.
    ///   - general: the stored settings for all podcasts.
    ///   - isMusic: true if the podcast has music, according to its feed.
    public init(own: [String: String] = [:], general: [String: String] = [:], isMusic: Bool = false) {
        (self.own, self.general, self.isMusic) = (own, general, isMusic)
    }

    /// The effective value of a setting.
    public subscript(key: SettingKey) -> SettingValue { effectiveValue(key).value }

    /// Returns the effective value and its origin. A value that this version cannot parse counts as not set.
    public func effectiveValue(_ key: SettingKey) -> (value: SettingValue, origin: Origin) {
        let read = { (stored: [String: String]) in stored[key.rawValue].flatMap { SettingValue.read($0, for: key) } }
        if let value = read(own) { return (value, .podcast) }
        if !(isMusic && key.isForSpeech), let value = read(general) { return (value, .all) }
        return (key.standard, .standard)
    }
}

/// The effective settings of each podcast.
public struct SettingsOfAll: Sendable, Equatable {
    private let own: [Int64: [String: String]]
    private let all: [String: String]
    /// The podcasts of music.
    private let music: Set<Int64>

    init(own: [Int64: [String: String]], general: [String: String], music: Set<Int64>) {
        (self.own, all, self.music) = (own, general, music)
    }

    /// The effective settings of a podcast without own values.
    public var general: EffectiveSettings { EffectiveSettings(general: all) }

    /// The effective settings of a podcast.
    public subscript(podcast: Int64) -> EffectiveSettings {
        EffectiveSettings(own: own[podcast] ?? [:], general: all, isMusic: music.contains(podcast))
    }
}

extension Library {
    /// Returns the effective settings.
    /// - Parameter podcast: the podcast; `nil` returns the settings for all.
    public func effectiveSettings(for podcast: Int64? = nil) throws(LibraryError) -> EffectiveSettings {
        guard let podcast else { return EffectiveSettings(general: try settings()) }
        return EffectiveSettings(
            own: try settings(of: podcast), general: try settings(), isMusic: try isMusic(podcast))
    }

    /// Changes a setting.
    /// - Parameters:
    ///   - value: the new value; `nil` resets the setting, so that the general value or the default applies.
    ///   - podcast: the podcast; `nil` changes the setting for all.
    /// - Throws: `invalid` if the setting applies to all podcasts together and `podcast` is given.
    public func set(_ key: SettingKey, to value: SettingValue?, for podcast: Int64? = nil) throws(LibraryError) {
        guard podcast == nil || key.isPerPodcast else {
            throw LibraryError(.invalid, "\(key.rawValue) cannot be set for one podcast")
        }
        try set(key.rawValue, to: value?.description, for: podcast)
    }
}
