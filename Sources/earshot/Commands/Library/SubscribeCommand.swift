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

            Words search for a podcast by name in a directory, which you choose first: Earshot contacts none unless \
            the setting "directory" has its address. On a terminal you choose a result; otherwise the results are \
            listed, and --result chooses one by its number.

            For example:
              earshot subscribe https://example.net/feed.xml
              earshot subscribe harbour tales
              earshot subscribe harbour tales --result 2
            """)

    @Argument(
        help: ArgumentHelp(
            "The URL of a feed, or of a page that links to one; - is standard input. Words search for a podcast.",
            valueName: "url"))
    var urls: [String]

    @Flag(help: "Subscribe to the first podcast that the directory finds.")
    var first = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Subscribe to the result with this number.", valueName: "number"))
    var result: Int?

    @OptionGroup var log: LogOption

    @OptionGroup var options: LibraryOptions

    func validate() throws {
        guard urls.allSatisfy({ !$0.allSatisfy(\.isWhitespace) }) else {
            throw ValidationError("A URL is empty: specify the URL of a feed.")
        }
        if !isSearch, let path = urls.first(where: SubscribeSession.isPath) {
            let advice = "\"earshot play\" and \"earshot feed parse\" read files"
            throw ValidationError("\"\(path)\" is a path: specify the URL of a feed; \(advice).")
        }
        guard !first || isSearch else { throw ValidationError("--first requires words to search for.") }
        guard result == nil || isSearch else { throw ValidationError("--result requires words to search for.") }
        guard !first || result == nil else { throw ValidationError("Specify --first or --result, not both.") }
        guard result ?? 1 > 0 else { throw ValidationError("The number of the first result is 1.") }
    }

    private var isSearch: Bool { DirectoryText.areWords(urls) }

    func run() async throws {
        if isSearch {
            let number = first ? 1 : result
            return try await DirectorySession.run(urls, number: number, json: options.json, log.logLevel).check()
        }
        try await SubscribeSession.run(urls, json: options.json, log.logLevel).check()
    }
}
