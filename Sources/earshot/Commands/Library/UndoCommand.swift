// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Listening
import TerminalInterface

struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Takes back what was done last.",
        discussion: """
            Each time it takes back one thing more. What was done more than a month ago stays.

            For example:
              earshot undo
            """)

    @Flag(help: "Only list what was done, the latest first.")
    var list = false

    @OptionGroup var limit: ListLimit
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (isList, count, json) = (list, limit.count, options.json)
        try await LibrarySession.run { library in
            if isList {
                let acts = try library.acts(limit: count)
                return json ? ActText.json(acts) : ActText.plain(acts)
            }
            let act = try library.undo()
            // What was removed, or wanted, has files.
            try LibraryDownloads(library, in: CompositionRoot.keepDirectory(nil)).settleTrash()
            return json ? ActText.json([act]) : ActText.undone(act)
        }
    }
}
