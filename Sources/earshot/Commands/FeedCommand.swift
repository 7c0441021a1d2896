// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Sessions
import TerminalInterface

struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "Inspect a feed.",
        discussion: """
            For example:
              earshot feed parse https://example.net/feed.xml --json
            """,
        subcommands: [FeedParseCommand.self])
}

struct FeedParseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parse",
        abstract: "Print a feed as one JSON document.",
        discussion: """
            For example:
              earshot feed parse https://example.net/feed.xml --json
              earshot feed parse - --json --url https://example.net/feed.xml < feed.xml
            """)

    @Argument(help: ArgumentHelp("The feed's URL or path; - is standard input.", valueName: "feed"))
    var source: String

    @Flag(help: "Print JSON, the default and only format.")
    var json = false

    @Option(help: "The URL of the feed, the base for relative URLs in it.")
    var url: String?

    @Option(help: ArgumentHelp("The Content-Type header of the feed.", valueName: "type"))
    var contentType: String?

    @Flag(help: "Print repairs to standard error, one line for each kind of error.")
    var diagnostics = false

    func run() async throws {
        try await FeedParseSession.run(
            FeedParseOptions(source: source, url: url, contentType: contentType, reportsRepairs: diagnostics)
        ).check()
    }
}
