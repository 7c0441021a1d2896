// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import EpisodeSources
import Media
import Sessions
import Subscriptions
import TerminalInterface

struct SubscribeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "subscribe",
        abstract: "Subscribe to podcasts.",
        discussion: """
            A URL is that of a feed, or of a web page that links to one. Earshot stores a name and password in it \
            (user:password@) so that only you can read them, sends them only to that server, and never shows them \
            again. The argument - reads URLs from standard input, one per line, to keep passwords out of your shell \
            history.

            For example:
              earshot subscribe https://example.net/feed.xml
            """)

    @Argument(
        help: ArgumentHelp("The URL of a feed, or of a page that links to one; - is standard input.", valueName: "url"))
    var urls: [String]

    @OptionGroup var log: LogOption

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard urls.allSatisfy({ !$0.allSatisfy(\.isWhitespace) }) else {
            throw ValidationError("A URL is empty: specify the URL of a feed.")
        }
    }

    func run() async throws {
        try await SubscribeSession.run(urls, json: options.json, log.logLevel).check()
    }
}
