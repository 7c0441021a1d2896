// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import EpisodeSources
import ProgressiveDownload
import Sessions
import TerminalInterface

struct UndoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "undo",
        abstract: "Undo the last change.",
        discussion: """
            Each run undoes one more change. Changes older than a month cannot be undone.

            For example:
              earshot undo
            """)

    @Flag(help: "List the changes, latest first, and undo nothing.")
    var list = false

    @OptionGroup var folder: FolderOption

    @OptionGroup var limit: ListLimit
    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (isList, count, json) = (list, limit.count, options.json)
        let folders = folder.folders
        try await LibrarySession.run { library in
            if isList {
                let acts = try library.acts(limit: count)
                return json ? JournalText.json(acts) : JournalText.plain(acts)
            }
            let undone = try LibraryDownloads(library, in: folders).undo()
            if let failure = JournalText.failure(undone) { throw failure }
            return json ? JournalText.json(undone) : JournalText.undone(undone)
        }
    }
}
