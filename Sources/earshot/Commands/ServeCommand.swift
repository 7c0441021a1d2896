// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Sessions
import TerminalInterface

struct ServeCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Own playback without a terminal, for other commands and media keys.",
        discussion: """
            Exits with status 75 if another process owns playback.

            For example:
              earshot serve &
              earshot serve --idle-exit 30m
            """)

    @Option(
        help: "The sound output: pulse[:SINK] or null. (default: the last output)",
        transform: { try OutputOption.device($0) })
    var output: OutputOption?

    @Option(
        help: ArgumentHelp(
            "End after this time without playback and clients, like 10m. (default: never)", valueName: "duration"),
        transform: { (text) throws in
            guard let duration = DurationText.duration(text) else {
                throw ArgumentError("invalid duration \"\(text)\": write it like 10m")
            }
            return duration
        })
    var idleExit: Duration?

    @OptionGroup var log: LogOption

    func run() async throws {
        let session = SessionOptions(quiet: true, logLevel: log.logLevel)
        try await Service.run(ServeOptions(output: output, idleExit: idleExit, session: session)).check()
    }
}
