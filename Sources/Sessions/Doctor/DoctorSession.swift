// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EpisodeLibrary
import EpisodeSources
import Logging
import Media
package import ProgressiveDownload
import Subscriptions
import TerminalInterface

/// The checks of `earshot doctor`: the download folder, the sound device, the library and files without an episode.
package struct DoctorSession {
    private let folders: KeepFolders
    private let deletesOrphans: Bool

    package init(folders: KeepFolders, deletesOrphans: Bool) {
        (self.folders, self.deletesOrphans) = (folders, deletesOrphans)
    }

    /// Runs all checks.
    /// - Parameter isVerbose: true to add the known vulnerabilities of the installed libraries.
    package func run(isVerbose: Bool) async -> [SystemReport.Diagnostic] {
        let (folders, deletes) = (folders, deletesOrphans)
        let library = await DiskWork.run { () throws(Never) in Self.library }
        let orphans = await DiskWork.run { () throws(Never) in Self.orphans(in: folders, deletes: deletes) }
        let folder = SystemReport.keeping(in: folders.current, size: DiagnosticText.size)
        let control = ControlDiagnostic.all(environment: CompositionRoot.controlEnvironment)
        return folder + [Self.soundDevice] + library + orphans + control
            + SystemReport.versions + (isVerbose ? SystemReport.weaknesses : [])
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

    private static func orphans(in folders: KeepFolders, deletes: Bool) -> [SystemReport.Diagnostic] {
        do {
            let files = OrphanFiles(in: folders, besides: try CompositionRoot.existingLibrary())
            let strays = try files.find()
            return DiagnosticText.strays(
                strays, deleted: deletes ? try files.delete(strays) : nil,
                wasRestored: files.damagedFile != nil)
        } catch {
            return [.init(.trouble, "files without an episode: \(MediaFailure(converting: error).reason)")]
        }
    }

    private static var soundDevice: SystemReport.Diagnostic {
        SystemReport.sound(Result { () throws(AudioOutputError) in try CompositionRoot.device() })
    }
}
