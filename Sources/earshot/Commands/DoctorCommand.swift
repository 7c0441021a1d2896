// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import AudioOutput
import EpisodeLibrary
import Listening
import Logging
import Media
import ProgressiveDownload
import TerminalInterface

struct DoctorCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Checks the disk, the sound device, the feeds and the library.",
        discussion: """
            The exit status is 69 if something is missing that playing or keeping episodes needs. Files in the folder \
            of the downloads that belong to no episode are listed: --delete-orphans deletes them for good.

            For example:
              earshot doctor
              earshot doctor --verbose
              earshot doctor --delete-orphans
            """)

    @Flag(help: "Write one JSON object a line to standard output: docs/json-library.md.")
    var json = false

    @Option(help: ArgumentHelp("The folder that keeps the downloads.", valueName: "folder"))
    var keepDir: String?

    @Flag(help: "Also list the known weaknesses of the libraries on this machine.")
    var verbose = false

    @Flag(help: "Delete files in the folder of the downloads that belong to no episode, for good.")
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
            guard let library = try soundLibrary() else { return [.init(.remark, "there is no library yet")] }
            let health = SystemReport.finding(of: try library.health())
            guard health.grade == .good else { return [health] }
            return SystemReport.failingFeeds(in: try library.podcasts()) + [health, SystemReport.writing(to: library)]
        } catch {
            return [.init(.trouble, error.reason)]
        }
    }

    /// Opens the library, and rescues it first where a check of all of it finds damage.
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
            return .init(.good, "the sound plays on \(device.map { "\"\($0)\"" } ?? "the default device")")
        } catch {
            return .init(.trouble, "there is no sound device: \(error.words)")
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
