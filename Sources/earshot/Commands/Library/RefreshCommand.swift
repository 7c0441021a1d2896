// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Logging
import TerminalInterface

struct RefreshCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "refresh",
        abstract: "Fetches new episodes from the feeds.",
        discussion: """
            Without a podcast, all feeds are asked; with --quiet, as in a timer, only those that are due: each once \
            an hour at most, a broken one less often. The rules (earshot settings) then download new episodes and \
            move old downloads to the trash. If no feed could be reached, the exit status is that of the first failure.

            For example:
              earshot refresh
              earshot refresh "harbour tales"
            """)

    @Argument(
        help: ArgumentHelp("Podcasts: p and the number (p2), addresses, or words of the title.", valueName: "podcast"))
    var podcasts: [String] = []

    @Flag(help: "Ask all feeds, with --quiet too.")
    var all = false

    @Flag(help: "Download nothing.")
    var noDownload = false

    @Option(parsing: .unconditional, help: ArgumentHelp("Give up after so many seconds.", valueName: "seconds"))
    var within = 600

    @Flag(help: "Say only what goes wrong, and ask only feeds that are due.")
    var quiet = false

    @OptionGroup var session: SessionOptions

    func validate() throws {
        guard within > 0 else { throw ValidationError("--within wants a number above 0.") }
    }

    func run() async throws {
        let status = await RefreshSession.run(
            RefreshOptions(
                podcasts: podcasts, isAsked: all || !quiet || !podcasts.isEmpty, downloads: !noDownload,
                time: .seconds(within), quiet: quiet, json: session.json, keepFolder: session.keepDir,
                logLevel: session.logLevel))
        guard status == .success else { throw ExitCode(status.rawValue) }
    }
}
