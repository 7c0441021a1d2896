// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Listening
import Media
import TerminalInterface

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Subscribes to all podcasts of a list (OPML), as other programs export it.",
        discussion: """
            Groups are kept. Nothing is fetched before `earshot refresh`. What cannot be taken is named with its \
            reason, and the rest comes in; `earshot undo` takes back all of it.

            For example:
              earshot import subscriptions.opml
            """)

    @Argument(help: ArgumentHelp("The list; - is standard input.", valueName: "file"))
    var file: String

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (file, json) = (file, options.json)
        try await LibrarySession.run { library in
            let report = try SubscriptionImport.run(file, into: library)
            let lines = report.lines
            let cut = LibraryRemark.said("\(file) ends before its list does: what stood behind is missing.")
            let texts = (json ? ImportText.json(lines) : ImportText.plain(lines)) + (report.isTruncated ? [cut] : [])
            let hasTaken = lines.contains { if case .taken = $0.outcome { true } else { false } }
            guard !hasTaken else { return texts }
            StandardStreams.write(texts)
            throw MediaFailure(.badData, "\(file): there is no feed in it that can be taken")
        }
    }
}

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the subscriptions as a list (OPML), or everything you have as JSON.",
        discussion: """
            Passwords are left out. A file that is there already is not overwritten.

            For example:
              earshot export subscriptions.opml
            """)

    enum Form: String, EnumerableFlag {
        case opml, json

        static func help(for value: Form) -> ArgumentHelp? {
            switch value {
            case .opml: "The subscriptions with their groups, for other programs; this is the default."
            case .json: "Everything, as one JSON object a line: docs/json-library.md."
            }
        }
    }

    @Flag var form: Form = .opml

    @Argument(help: ArgumentHelp("Where to write; - is standard output.", valueName: "file"))
    var file = "-"

    func run() async throws {
        let (form, file) = (form, file)
        try await LibrarySession.run { library in
            let bytes = try Self.bytes(form, library)
            if file == "-" { return [.output(String(decoding: bytes, as: UTF8.self))] }
            try NewFile.write(bytes, to: file)
            return []
        }
    }

    private static func bytes(_ form: Form, _ library: Library) throws -> [UInt8] {
        switch form {
        case .opml: try SubscriptionExport.document(of: library)
        case .json:
            try ExportText.lines(library, at: library.currentTime).flatMap { Array(($0 + "\n").utf8) }
        }
    }
}
