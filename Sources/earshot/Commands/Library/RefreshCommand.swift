// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Logging
import TerminalInterface

struct RefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Asks the feeds for new episodes.",
        discussion: """
            Without a podcast, those that are due: a feed is asked once an hour at most, a broken one less often. \
            What the rules say (earshot settings) is then downloaded, and what they keep no longer goes to the trash. \
            The exit status is that of the first failure where nothing could be had at all.

            For example:
              earshot refresh
              earshot refresh "harbour tales"
            """)

    @Argument(help: ArgumentHelp("Podcasts by number or title words.", valueName: "podcast"))
    var podcasts: [String] = []

    @Flag(help: "Ask all feeds, also those that are not due.")
    var all = false

    @Flag(help: "Download nothing.")
    var noDownload = false

    @Option(parsing: .unconditional, help: ArgumentHelp("What has not come by then has failed.", valueName: "seconds"))
    var within = 600

    @Flag(help: "Say only what goes wrong.")
    var quiet = false

    @OptionGroup var session: SessionOptions

    func validate() throws {
        guard within > 0 else { throw ValidationError("--within wants a number above 0.") }
    }

    func run() async throws {
        let status = await RefreshSession.run(
            RefreshOptions(
                podcasts: podcasts, isAsked: all || !podcasts.isEmpty, downloads: !noDownload,
                time: .seconds(within), quiet: quiet, json: session.json, keepFolder: session.keepDir,
                logLevel: session.logLevel))
        guard status == .success else { throw ExitCode(status.rawValue) }
    }
}
