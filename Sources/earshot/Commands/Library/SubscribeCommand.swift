// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Listening
import Logging
import Media
import TerminalInterface

struct SubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscribe",
        abstract: "Subscribes to podcasts.",
        discussion: """
            A URL is that of a feed, or of a page that names one. A name and a password in it (user:password@) are \
            kept where only you can read them, sent to that server alone, and never shown again; - reads URLs from \
            standard input, a line each, so that a password need not stand in your shell's history.

            For example:
              earshot subscribe https://example.net/feed.xml
            """)

    @Argument(
        help: ArgumentHelp("The URL of a feed, or of a page that names one; - for standard input.", valueName: "url"))
    var urls: [String]

    @Option(help: "trace, debug, info, notice, warning, error or critical.", transform: LogLevel.parse)
    var logLevel: Logger.Level = .warning

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard urls.allSatisfy({ !$0.allSatisfy(\.isWhitespace) }) else {
            throw ValidationError("An address is empty: name the URL of a feed.")
        }
    }

    func run() async throws {
        let status = await SubscribeSession.run(urls, json: options.json, logLevel)
        guard status == .success else { throw ExitCode(status.rawValue) }
    }
}
