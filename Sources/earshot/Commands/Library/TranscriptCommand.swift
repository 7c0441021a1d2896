// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Media
import Sessions
import TerminalInterface

struct TranscriptCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "transcript",
        abstract: "Print the transcript of an episode; fetch it first if it is not stored.",
        discussion: """
            Each paragraph has its time and, where the speaker changes, the name of the speaker. The times are those \
            of the publisher's audio; "~" marks them if the audio is known to differ, for example because of \
            advertisements. --shift corrects all of them, or, with --from, those from a time on. With several \
            transcripts in a feed, the language of the feed and a format with times are preferred.

            For example:
              earshot transcript "rain on the old harbour" --from 12:30
              earshot transcript 12 --shift +35
              earshot transcript 12 --from 20:10 --shift +60
            """)

    @Argument(help: ArgumentHelp("The episode: its number or words of its title.", valueName: "episode"))
    var episode: String

    @Option(help: ArgumentHelp("The podcast of the episode: its number or words of its title.", valueName: "podcast"))
    var podcast: String?

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Print, or shift, from this time on: 12:30, 1:02:03, 750 or 25%.", valueName: "time"),
        transform: { try TimeTarget(parsingStart: $0) })
    var from: TimeTarget?

    @Flag(help: "Fetch the transcript again.")
    var refresh = false

    @Option(
        parsing: .unconditional,
        help: ArgumentHelp(
            "Add this time to all times of the transcript, or to those after --from: +35, -2.5 or 0. "
                + "\"earshot undo\" reverts it.",
            valueName: "time"),
        transform: { try Duration(parsingShift: $0) })
    var shift: Duration?

    @OptionGroup var log: LogOption
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let options = TranscriptOptions(
            episode: episode, podcast: podcast, from: from, isRefresh: refresh, shift: shift, json: options.json,
            logLevel: log.logLevel)
        try await TranscriptSession.run(options, .current).check()
    }
}
