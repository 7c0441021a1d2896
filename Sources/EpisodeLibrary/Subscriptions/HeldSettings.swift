// SPDX-License-Identifier: GPL-3.0-or-later

/// What holds for one podcast, or for all: its own setting, else the one for all, else the standard. Pure.
public struct HeldSettings: Sendable, Equatable {
    /// Where a value comes from.
    public enum Origin: String, Sendable {
        case podcast, all, standard
    }

    private let own: [String: String]
    private let general: [String: String]

    /// - Parameters:
    ///   - own: what was set for the podcast, as it is stored.
    ///   - general: what was set for all.
    public init(own: [String: String] = [:], general: [String: String] = [:]) {
        (self.own, self.general) = (own, general)
    }

    public subscript(key: SettingKey) -> SettingValue { held(key).value }

    /// What this version cannot read counts as not set.
    public func held(_ key: SettingKey) -> (value: SettingValue, origin: Origin) {
        let read = { (stored: [String: String]) in stored[key.rawValue].flatMap { SettingValue.read($0, for: key) } }
        if let value = read(own) { return (value, .podcast) }
        if let value = read(general) { return (value, .all) }
        return (key.standard, .standard)
    }
}

/// What holds for each podcast.
public struct SettingsOfAll: Sendable, Equatable {
    private let own: [Int64: [String: String]]
    private let all: [String: String]

    init(own: [Int64: [String: String]], general: [String: String]) { (self.own, all) = (own, general) }

    /// What holds where a podcast has nothing of its own.
    public var general: HeldSettings { HeldSettings(general: all) }

    public subscript(podcast: Int64) -> HeldSettings { HeldSettings(own: own[podcast] ?? [:], general: all) }
}

extension Library {
    /// - Parameter podcast: `nil` is what holds for all.
    public func heldSettings(for podcast: Int64? = nil) throws(LibraryError) -> HeldSettings {
        HeldSettings(own: try podcast.map(settings(of:)) ?? [:], general: try settings())
    }

    /// - Parameters:
    ///   - value: `nil` takes it away, so that what holds for all holds again.
    ///   - podcast: `nil` sets it for all.
    /// - Throws: `invalid` for one podcast, where it counts all of them together.
    public func set(_ key: SettingKey, to value: SettingValue?, for podcast: Int64? = nil) throws(LibraryError) {
        guard podcast == nil || key.isPerPodcast else {
            throw LibraryError(.invalid, "\(key.rawValue) is for all podcasts together")
        }
        try set(key.rawValue, to: value?.description, for: podcast)
    }
}
