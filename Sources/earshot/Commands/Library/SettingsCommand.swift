// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import TerminalInterface

struct SettingsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "settings",
        abstract: "Shows and changes settings, for all podcasts or for one.",
        discussion: """
            For example:
              earshot settings set auto-download 3 --podcast "harbour tales"
            """,
        subcommands: [
            SettingsListCommand.self, SettingsGetCommand.self, SettingsSetCommand.self, SettingsUnsetCommand.self,
        ],
        defaultSubcommand: SettingsListCommand.self)
}

/// Whom a setting is for.
struct SettingScope: ParsableArguments {
    @Option(help: "For this podcast alone.")
    var podcast: String?
}

extension Library {
    fileprivate func number(of name: String?) throws(LibraryError) -> Int64? {
        guard let name else { return nil }
        return try podcast(named: name).id
    }

    /// One setting as it is now.
    fileprivate func answer(_ key: SettingKey, _ podcast: Int64?, _ json: Bool) throws(LibraryError) -> [ReportText] {
        let table = SettingTable(try heldSettings(for: podcast), podcast: podcast)
        return json ? table.json([key]) : table.plain(key)
    }
}

struct SettingsListCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Lists all settings, what they are and what they mean.",
        discussion: """
            For example:
              earshot settings list --podcast "harbour tales"
            """)

    @OptionGroup var scope: SettingScope
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (name, json) = (scope.podcast, options.json)
        try await LibrarySession.run { library in
            let podcast = try library.number(of: name)
            let table = SettingTable(try library.heldSettings(for: podcast), podcast: podcast)
            return json ? table.json() : table.plain()
        }
    }
}

struct SettingsGetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "get",
        abstract: "Prints what holds.",
        discussion: """
            For example:
              earshot settings get keep-newest
            """)

    @Argument(help: "Its name.")
    var key: String

    @OptionGroup var scope: SettingScope
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (key, name, json) = (key, scope.podcast, options.json)
        try await LibrarySession.run { library in
            try library.answer(try SettingKey(named: key), try library.number(of: name), json)
        }
    }
}

struct SettingsSetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "set",
        abstract: "Sets it; off takes a limit away.",
        discussion: """
            For example:
              earshot settings set auto-download-words "news -repeat"
            """)

    @Argument(help: "Its name.")
    var key: String

    @Argument(help: "What it is to be.")
    var value: [String]

    @OptionGroup var scope: SettingScope
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (key, text, name, json) = (key, value.joined(separator: " "), scope.podcast, options.json)
        try await LibrarySession.run { library in
            let key = try SettingKey(named: key)
            let value = try SettingValue(parsing: text, for: key)
            let podcast = try library.number(of: name)
            try library.set(key, to: value, for: podcast)
            return json
                ? try library.answer(key, podcast, json) : [LibraryRemark.said("\(key.rawValue) is \(value) now.")]
        }
    }
}

struct SettingsUnsetCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "unset",
        abstract: "Takes a setting away, so that what holds for all, or by itself, holds again.",
        discussion: """
            For example:
              earshot settings unset auto-download --podcast "harbour tales"
            """)

    @Argument(help: "Its name.")
    var key: String

    @OptionGroup var scope: SettingScope
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (key, name, json) = (key, scope.podcast, options.json)
        try await LibrarySession.run { library in
            let key = try SettingKey(named: key)
            let podcast = try library.number(of: name)
            try library.set(key, to: nil as SettingValue?, for: podcast)
            let value = try library.heldSettings(for: podcast)[key]
            return json
                ? try library.answer(key, podcast, json) : [LibraryRemark.said("\(key.rawValue) is \(value) now.")]
        }
    }
}
