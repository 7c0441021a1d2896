// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import EpisodeSources
import Media
import Sessions
import Subscriptions
import TerminalInterface

struct ImportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a list of podcasts (OPML), or a file from \"earshot export --json\".",
        discussion: """
            Groups are kept. Run "earshot refresh" afterwards to fetch the episodes. Invalid lines are reported with \
            the reason, and the other lines are imported. Positions, marks, the queue, bookmarks and settings of an \
            export are merged with the library: the latest value wins, and nothing is removed. Episodes that were \
            merged there are merged here; if both are downloaded, one file moves to the trash. "earshot undo" undoes \
            the whole import.

            For example:
              earshot import subscriptions.opml
            """)

    @Argument(help: ArgumentHelp("The file to import; - is standard input.", valueName: "file"))
    var file: String

    @OptionGroup var options: LibraryOptions

    func run() async throws {
        let (file, json) = (file, options.json)
        try await LibrarySession.run(creates: true) { library in
            let downloads = LibraryDownloads(library, in: CompositionRoot.keepFolders(nil))
            let (report, trashed) = try downloads.merging { try SubscriptionImport.run(file, into: library) }
            let texts = Self.texts(report, file, json) + LibraryRemark.secondFiles(trashed: trashed)
            if report.hasChanged { return texts }
            if report.isUsable { throw NothingChanged(texts + [Self.nothingNew]) }
            StandardStreams.write(texts)
            throw MediaFailure(.badData, "\(file): no feed could be imported")
        }
    }

    private static let nothingNew = LibraryRemark.message(
        "Nothing to import: the library already has all valid entries of the file.")

    private static func texts(_ report: SubscriptionImport.Report, _ file: String, _ json: Bool) -> [ReportText] {
        let cut = LibraryRemark.message("\(file) is truncated: the entries after its end are missing.")
        return (json ? ImportText.json(report.lines) : ImportText.plain(report)) + (report.isTruncated ? [cut] : [])
    }
}

struct ExportCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Export the subscriptions as OPML, or the whole library as JSON.",
        discussion: """
            Passwords are omitted, and *** replaces the tokens in the URLs of private feeds. An existing file is not \
            overwritten; only you can read a new file.

            For example:
              earshot export --json everything.jsonl
            """)

    @Flag(help: "Export the subscriptions with their groups, for other programs. (default)")
    var opml = false

    @Flag(help: "Export everything as one JSON object per line (docs/json-library.md).")
    var json = false

    @Flag(help: "Include the tokens of private feeds.")
    var withSecrets = false

    @Argument(help: ArgumentHelp("The file to write; - is standard output.", valueName: "file"))
    var file = "-"

    func validate() throws {
        guard !opml || !json else { throw ValidationError("Specify --opml or --json, not both.") }
        guard !file.isEmpty else { throw ValidationError("Name a file, or - for standard output.") }
    }

    func run() async throws {
        let (json, file, withSecrets) = (json, file, withSecrets)
        try await LibrarySession.run { library in
            let podcasts = try library.podcasts()
            let addresses = ExportedAddresses(podcasts, withSecrets: withSecrets)
            let bytes =
                try json
                ? Self.everything(library, podcasts, addresses) : SubscriptionExport.document(of: podcasts, addresses)
            let omitted = json ? try addresses.secretSettings(of: library) : []
            let remarks = try ExportText.remarks(
                podcasts.map { try PodcastRecord(library, $0) }, settings: omitted, addresses)
            if file == "-" { return [.output(String(decoding: bytes, as: UTF8.self))] + remarks }
            try NewFile.write(bytes, to: file)
            return remarks
        }
    }

    private static func everything(
        _ library: Library, _ podcasts: [PodcastSummary], _ addresses: ExportedAddresses
    ) throws -> [UInt8] {
        try ExportText(library, addresses).lines(podcasts, at: library.currentTime)
            .flatMap { Array(($0 + "\n").utf8) }
    }
}
