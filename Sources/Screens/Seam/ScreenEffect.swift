// SPDX-License-Identifier: GPL-3.0-or-later

/// A request of the screen to the driver.
public enum ScreenEffect: Sendable, Equatable {
    /// Read from the library, and send `ScreenEvent.answer` with the same query.
    case load(LibraryQuery)
    case player(PlayerRequest)
    /// Run `earshot` with these arguments in the background, and send `ScreenEvent.command` when it ends.
    case run(CommandRun)
    /// Save an option of the screen itself.
    case save(ScreenOption)
    case cover(CoverRequest)
    /// Send `ScreenEvent.clock` at this time; it replaces the last request. `nil` cancels it: the screen sleeps.
    case wake(at: Duration?)
    /// Restore the terminal and stop the process (Ctrl-Z).
    case suspend
    /// Repaint every cell (Ctrl-L), because another program may have written to the terminal.
    case repaint
    /// Leave the screen; playback continues. The driver prints the sentence afterwards, unless it is empty.
    case quit(String)
    /// Stop playback, and leave the screen.
    case stopAndQuit
}

/// A command of `earshot` that runs in the background.
public struct CommandRun: Sendable, Hashable, Identifiable {
    public typealias ID = Int

    /// The number of the run, never used again.
    public let id: ID
    /// The arguments after `earshot`.
    public let arguments: [String]

    public init(id: ID, arguments: [String]) { (self.id, self.arguments) = (id, arguments) }

    /// True for a short change of the library. Such changes run one after the other, and leaving waits for them.
    public var isChange: Bool { arguments.first.map(Self.changes.contains) ?? false }

    private static let changes: Set<String> = [
        "bookmark", "mark", "queue", "remove", "settings", "undo", "unsubscribe",
    ]
}

/// An option that only concerns the screen.
public enum ScreenOption: Sendable, Hashable {
    case mouse(Bool)
    case clock(Bool)
}

/// A command of `earshot` for completion and help.
public struct CommandWord: Sendable, Hashable {
    /// The words of the command: `refresh`, `queue add`.
    public var name: String
    /// The first sentence of its help.
    public var help: String
    /// Its long options: `--all`.
    public var options: [String]

    public init(_ name: String, help: String = "", options: [String] = []) {
        (self.name, self.help, self.options) = (name, help, options)
    }
}

/// The options with which the screen starts.
public struct ScreenOptions: Sendable {
    public var hasMouse = true
    /// False to show the position only when the state changes, for screen readers.
    public var hasClock = true
    /// The commands of `earshot`, for completion.
    public var commands: [CommandWord]
    public var keys: KeyMap
    public var today: LocalDay

    public init(today: LocalDay, commands: [CommandWord] = [], keys: KeyMap = KeyMap()) {
        (self.today, self.commands, self.keys) = (today, commands, keys)
    }
}
