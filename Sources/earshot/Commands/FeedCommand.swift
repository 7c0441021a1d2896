// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import TerminalInterface

struct FeedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "feed",
        abstract: "Looks into a feed.",
        discussion: """
            For example:
              earshot feed parse https://example.net/feed.xml --json
            """,
        subcommands: [FeedParseCommand.self])
}

struct FeedParseCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "parse",
        abstract: "Prints what a feed says as one JSON document.",
        discussion: """
            For example:
              earshot feed parse https://example.net/feed.xml --json
              earshot feed parse - --json --url https://example.net/feed.xml < feed.xml
            """)

    @Argument(help: ArgumentHelp("The feed's URL or path; - is standard input.", valueName: "feed"))
    var source: String

    @Flag(help: "Print JSON; this is the default, and the only form.")
    var json = false

    @Option(help: "Where the feed came from: the base of relative addresses in it.")
    var url: String?

    @Option(help: ArgumentHelp("The Content-Type header it came with.", valueName: "type"))
    var contentType: String?

    @Flag(help: "Say on standard error what was repaired, one line for each kind of fault.")
    var diagnostics = false

    func run() async throws {
        let status = await FeedParseSession.run(
            FeedParseOptions(source: source, url: url, contentType: contentType, tellsRepairs: diagnostics))
        guard status == .success else { throw ExitCode(status.rawValue) }
    }
}
