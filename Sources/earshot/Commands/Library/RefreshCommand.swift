// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Sessions
import TerminalInterface

struct RefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Fetch new episodes from the feeds.",
        discussion: """
            Without a podcast, all feeds are refreshed; with --quiet, as in a timer, only feeds that are due: at most \
            once an hour, after failures less often. The rules ("earshot settings") then download new episodes and \
            move old downloads to the trash. If all feeds fail, the exit status is that of the first failure.

            For example:
              earshot refresh
              earshot refresh "harbour tales"
            """)

    @Argument(
        help: ArgumentHelp("Podcasts: numbers (p2), URLs, or words of a title.", valueName: "podcast"))
    var podcasts: [String] = []

    @Flag(help: "Refresh all feeds, even with --quiet.")
    var all = false

    @Flag(help: "Do not download episodes.")
    var noDownload = false

    @Option(parsing: .unconditional, help: ArgumentHelp("The timeout in seconds.", valueName: "seconds"))
    var within = 600

    @Flag(help: "Print only errors, and refresh only feeds that are due.")
    var quiet = false

    @OptionGroup var events: EventOption
    @OptionGroup var session: SessionOptionGroup

    /// A year, which no clock overflows.
    private static let mostSeconds = 31_536_000

    func validate() throws {
        guard (1...Self.mostSeconds).contains(within) else {
            throw ValidationError("--within must be 1 to \(Self.mostSeconds).")
        }
    }

    func run() async throws {
        try await RefreshSession.run(
            RefreshOptions(
                podcasts: podcasts, isAsked: all || !quiet || !podcasts.isEmpty, downloads: !noDownload,
                time: .seconds(within), session: session.options(quiet: quiet, json: events.json))
        ).check()
    }
}
