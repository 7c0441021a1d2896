// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Sessions
import TerminalInterface

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Show or change settings, for all podcasts or for one.",
        discussion: """
            For example:
              earshot settings set auto-download 3 --podcast "harbour tales"
            """,
        subcommands: [
            SettingsListCommand.self, SettingsGetCommand.self, SettingsSetCommand.self, SettingsUnsetCommand.self,
        ],
        defaultSubcommand: SettingsListCommand.self)
}

/// The scope of a setting.
struct SettingScope: ParsableArguments {
    @Option(
        help: ArgumentHelp("Only for this podcast: its number, URL, or words of its title.", valueName: "podcast"))
    var podcast: String?
}

extension Library {
    fileprivate func podcast(of scope: SettingScope) throws(LibraryError) -> PodcastSummary? {
        guard let name = scope.podcast else { return nil }
        return try podcast(named: name, isPodcast: true)
    }

    /// Sets or unsets a setting.
    /// - Throws: `NothingChanged` if it already has the value.
    fileprivate func change(
        _ key: SettingKey, to value: SettingValue?, for podcast: PodcastSummary?, _ json: Bool
    ) throws -> [ReportText] {
        let held = try podcast.map { try settings(of: $0.id) } ?? settings()
        let now = try effectiveSettings(for: podcast?.id)[key]
        let place = podcast.map { " for \"\($0.name)\"" } ?? ""
        guard held[key.rawValue] != value?.description else {
            let sentence = value == nil ? "is not set\(place): it is \(now.shown)" : "is already \(now.shown)\(place)"
            throw NothingChanged("\(key.rawValue) \(sentence).")
        }
        try set(key, to: value, for: podcast?.id)
        if json { return try answer(key, podcast?.id, json) }
        return [
            LibraryRemark.message(
                "\(key.rawValue) is now \(try effectiveSettings(for: podcast?.id)[key].shown)\(place).")
        ]
    }

    /// Returns the current value of a setting.
    fileprivate func answer(_ key: SettingKey, _ podcast: Int64?, _ json: Bool) throws(LibraryError) -> [ReportText] {
        let table = SettingTable(try effectiveSettings(for: podcast), podcast: podcast)
        return json ? table.json(key) : table.plain(key)
    }
}

struct SettingsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "List all settings with their values and meanings.",
        discussion: """
            For example:
              earshot settings list --podcast "harbour tales"
            """)

    @OptionGroup var scope: SettingScope
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (scope, json) = (scope, options.json)
        try await LibrarySession.run { library in
            let podcast = try library.podcast(of: scope)?.id
            let table = SettingTable(try library.effectiveSettings(for: podcast), podcast: podcast)
            return json ? table.json() : table.plain()
        }
    }
}

struct SettingsGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Print the value of a setting.",
        discussion: """
            For example:
              earshot settings get keep-newest
            """)

    @Argument(help: "The name of the setting.")
    var key: String

    @OptionGroup var scope: SettingScope
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (key, scope, json) = (key, scope, options.json)
        try await LibrarySession.run { library in
            try library.answer(try SettingKey(named: key), try library.podcast(of: scope)?.id, json)
        }
    }
}

struct SettingsSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Set a value; \"off\" removes a limit.",
        discussion: """
            For example:
              earshot settings set auto-download-words "news -repeat"
            """)

    @Argument(help: "The name of the setting.")
    var key: String

    @Argument(parsing: .allUnrecognized, help: "The new value.")
    var value: [String]

    @OptionGroup var scope: SettingScope
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let text = value.withoutTerminator.joined(separator: " ")
        let (key, scope, json) = (key, scope, options.json)
        try await LibrarySession.run(creates: scope.podcast == nil && Self.canBe(text, key)) { library in
            let key = try SettingKey(named: key)
            let value = try SettingValue(parsing: text, for: key)
            return try library.change(key, to: value, for: library.podcast(of: scope), json)
        }
    }
}

extension SettingsSetCommand {
    /// Returns true if the value is valid; an invalid value must not create a library.
    private static func canBe(_ text: String, _ name: String) -> Bool {
        guard let key = SettingKey(rawValue: name) else { return false }
        return (try? SettingValue(parsing: text, for: key)) != nil
    }
}

struct SettingsUnsetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Reset a setting to the value for all podcasts, or to its default.",
        discussion: """
            For example:
              earshot settings unset auto-download --podcast "harbour tales"
            """)

    @Argument(help: "The name of the setting.")
    var key: String

    @OptionGroup var scope: SettingScope
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (key, scope, json) = (key, scope, options.json)
        try await LibrarySession.run { library in
            try library.change(SettingKey(named: key), to: nil, for: library.podcast(of: scope), json)
        }
    }
}
