// SPDX-License-Identifier: GPL-3.0-or-later
import TerminalInterface

/// Plays what the options name, shows it, obeys keys, commands and signals.
enum PlaySession {
    static func run(_ options: PlayOptions) async -> ExitStatus {
        StandardStreams.write([.error("earshot: playing is not wired yet\n")])
        return .internalFault
    }
}
