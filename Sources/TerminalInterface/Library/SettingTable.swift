// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// The output of `earshot settings`.
public struct SettingTable: Sendable {
    private let settings: EffectiveSettings
    private let podcast: Int64?

    /// - Parameter podcast: the podcast of the settings; `nil` for the general settings.
    public init(_ settings: EffectiveSettings, podcast: Int64? = nil) {
        (self.settings, self.podcast) = (settings, podcast)
    }

    private var keys: [SettingKey] {
        SettingKey.allCases.filter { podcast == nil || $0.isPerPodcast }
    }

    /// Returns all settings; an address without its password and keys.
    public func json() -> [ReportText] { keys.map { .output(LibraryJSON.line(object($0) { $0.shown })) } }

    /// Returns one setting with its whole value.
    public func json(_ key: SettingKey) -> [ReportText] {
        [.output(LibraryJSON.line(object(key) { $0.description }))]
    }

    private func object(_ key: SettingKey, _ text: (SettingValue) -> String) -> JSONValue {
        let (value, origin) = settings.effectiveValue(key)
        return .object([
            .init("key", .string(key.rawValue)),
            .init("value", .string(text(value))),
            .init("setFor", .string(origin.rawValue)),
            .init("default", .string(key.standard.description)),
            .init("podcast", .optional(podcast, JSONValue.integer)),
            .init("perPodcast", .bool(key.isPerPodcast)),
            .init("meaning", .string(key.meaning)),
        ])
    }

    public func plain() -> [ReportText] {
        let values = keys.map { PrintableText(settings[$0].shown) }
        let keyColumns = keys.map(\.rawValue.count).max() ?? 0
        let valueColumns = values.map(\.columns).max() ?? 0
        return zip(keys, values).map { key, value in
            let name = key.rawValue + ListLayout.blanks(keyColumns - key.rawValue.count)
            let filled = value.text + ListLayout.blanks(valueColumns - value.columns)
            return .output("\(name)  \(filled)  \(key.meaning)\(remark(key))\n")
        }
    }

    /// Returns only the value, and the whole one, for scripts.
    public func plain(_ key: SettingKey) -> [ReportText] {
        [.output(PrintableText(settings[key].description).text + "\n")]
    }

    private func remark(_ key: SettingKey) -> String {
        let standard = "default: \(key.standard.shown)"
        return switch settings.effectiveValue(key).origin {
        case .podcast: " (set for this podcast; \(standard))"
        case .all where podcast != nil: " (set for all podcasts; \(standard))"
        case .all: " (set; \(standard))"
        case .standard: ""
        }
    }
}
