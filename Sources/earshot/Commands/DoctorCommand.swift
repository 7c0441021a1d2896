// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import AudioOutput
import EpisodeLibrary
import EpisodeSources
import Logging
import Media
import ProgressiveDownload
import Sessions
import Subscriptions
import TerminalInterface

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check the disk, the sound device, the feeds and the library.",
        discussion: """
            The exit status is 69 if a check fails. The report also lists files in the download folder that belong to \
            no episode; --delete-orphans deletes them permanently.

            For example:
              earshot doctor
              earshot doctor --verbose
              earshot doctor --delete-orphans
            """)

    @Flag(help: "Write one JSON object per line to standard output (docs/json-library.md).")
    var json = false

    @Option(help: ArgumentHelp("The download folder.", valueName: "folder"))
    var keepDir: String?

    @Flag(help: "Also list known vulnerabilities of the installed libraries.")
    var verbose = false

    @Flag(help: "Permanently delete files in the download folder that belong to no episode.")
    var deleteOrphans = false

    func run() async throws {
        let (folders, deletes) = (CompositionRoot.keepFolders(keepDir), deleteOrphans)
        let library = await DiskWork.run { () throws(Never) in Self.library }
        let strays = await DiskWork.run { () throws(Never) in Self.strays(in: folders, deletes: deletes) }
        let place = SystemReport.keeping(in: folders.current, size: DiagnosticText.size)
        let findings = place + [Self.soundDevice] + library + strays
            + [SystemReport.version] + (verbose ? SystemReport.weaknesses : [])
        StandardStreams.write(findings.map(json ? DiagnosticText.json : DiagnosticText.line))
        let isFine = !findings.contains { $0.grade == .trouble }
        guard isFine else { throw ExitCode(TerminalInterface.ExitStatus.unavailable.rawValue) }
    }

    private static var library: [SystemReport.Diagnostic] {
        do throws(LibraryError) {
            guard let library = try soundLibrary() else { return [.init(.remark, "no library yet")] }
            let health = SystemReport.finding(of: try library.health())
            guard health.grade == .good else { return [health] }
            return SystemReport.failingFeeds(in: try library.podcasts()) + [health, SystemReport.writing(to: library)]
        } catch {
            return [.init(.trouble, error.reason)]
        }
    }

    /// Opens the library. Restores it first if a full check finds damage.
    private static func soundLibrary() throws(LibraryError) -> Library? {
        guard let library = try CompositionRoot.existingLibrary() else { return nil }
        let health = Result { () throws(LibraryError) in try library.health() }
        if case .success(let found) = health, found.damage.isEmpty { return library }
        try library.close()
        _ = try CompositionRoot.rescueLibrary()
        return try CompositionRoot.existingLibrary()
    }

    private static func strays(in folders: KeepFolders, deletes: Bool) -> [SystemReport.Diagnostic] {
        do {
            let files = OrphanFile(in: folders, besides: try CompositionRoot.existingLibrary())
            let strays = try files.find()
            return DiagnosticText.strays(strays, deleted: deletes ? try files.delete(strays) : nil)
        } catch let error as LibraryError {
            return [.init(.trouble, "files without an episode: \(error.reason)")]
        } catch let error as MediaFailure {
            return [.init(.trouble, "files without an episode: \(error.reason)")]
        } catch {
            return [.init(.trouble, "files without an episode: \(error)")]
        }
    }

    private static var soundDevice: SystemReport.Diagnostic {
        let sink = PulseSink(logger: CompositionRoot.logger(.critical))
        do throws(AudioOutputError) {
            let device = try sink.probe()
            try sink.close()
            return .init(.good, "sound plays on \(device.map { "\"\($0)\"" } ?? "the default device")")
        } catch {
            return .init(.trouble, "no sound output: \(error.words)")
        }
    }
}

extension AudioOutputError {
    fileprivate var words: String {
        switch self {
        case .noServer(let reason): reason
        case .refused(let operation, let reason): "\(operation): \(reason)"
        case .cannotWrite(let path, let reason): "\(path): \(reason)"
        }
    }
}
