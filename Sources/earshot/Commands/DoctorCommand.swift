// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import Sessions
import TerminalInterface

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the disk, the sound device, the feeds and the library.",
        discussion: """
            The exit status is 69 if a check fails; a missing sound server is only a remark. The report also lists \
            files in the download folder that belong to no episode; --delete-orphans deletes them permanently.

            For example:
              earshot doctor
              earshot doctor --verbose
              earshot doctor --delete-orphans
            """)

    @Flag(help: "Write one JSON object per line to standard output (docs/json-library.md).")
    var json = false

    @OptionGroup var folder: FolderOption

    @Flag(help: "Also list known vulnerabilities of the installed libraries.")
    var verbose = false

    @Flag(help: "Permanently delete files in the download folder that belong to no episode.")
    var deleteOrphans = false

    func run() async throws {
        let session = DoctorSession(folders: folder.folders, deletesOrphans: deleteOrphans)
        let diagnostics = await session.run(isVerbose: verbose)
        StandardStreams.write(diagnostics.map(json ? DiagnosticText.json : DiagnosticText.line))
        guard !diagnostics.contains(where: { $0.grade == .trouble }) else {
            throw TerminalInterface.ExitStatus.unavailable
        }
    }
}
