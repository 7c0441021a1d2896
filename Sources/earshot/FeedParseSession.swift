// SPDX-License-Identifier: GPL-3.0-or-later
import TerminalInterface

/// Reads one feed and prints it.
enum FeedParseSession {
    static func run(_ options: FeedParseOptions) async -> ExitStatus {
        StandardStreams.write([.error("earshot: parsing is not wired yet\n")])
        return .internalFault
    }
}
