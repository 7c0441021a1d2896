// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Glibc
import HTTPTransfer
import Logging
import ProgressiveDownload
import Subscriptions
import TerminalInterface

/// The parts of all sessions that read episodes.
struct SessionParts: Sendable {
    let options: SessionOptions
    let logger: Logger
    /// `nil` if there is none, or if it cannot be opened and the targets do not need it.
    let library: Library?
    let folders: KeepFolders
    let sources: EnclosureSources
    let transport: CurlTransport

    /// Opens the library, creates the parts and runs a session.
    /// - Parameter targets: the targets of the session; URLs and paths do not need the library.
    /// - Returns: the status of the session, or that of a library that cannot be opened, which was reported.
    static func run(
        _ options: SessionOptions, for targets: [String], _ session: (SessionParts) async -> ExitStatus
    ) async -> ExitStatus {
        // Opening the library can wait for another process.
        SignalWatcher.leaveToSystem()
        let library: Library?
        do throws(ExitStatus) { library = try await openLibrary(for: targets) } catch { return error }
        let parts = SessionParts(options, library, for: targets)
        defer { parts.close() }
        return await session(parts)
    }

    /// Opens the library and creates the parts, for a caller that closes them.
    /// - Throws: the failure of a library that the targets need.
    static func open(_ options: SessionOptions, for targets: [String]) async throws(LibraryError) -> SessionParts {
        do throws(LibraryError) {
            let library = try await DiskWork.run { () throws(LibraryError) in try CompositionRoot.existingLibrary() }
            return SessionParts(options, library, for: targets)
        } catch {
            guard !needsLibrary(targets) else { throw error }
            return SessionParts(options, nil, for: targets)
        }
    }

    /// Ends the transfers. To be called once.
    func close() { transport.shutdown() }

    private static func needsLibrary(_ targets: [String]) -> Bool {
        targets.isEmpty || targets.contains(where: TargetResolver.isName)
    }

    private init(_ options: SessionOptions, _ library: Library?, for targets: [String]) {
        // Files need no network.
        let needsNetwork = targets.isEmpty || targets.contains { access($0, F_OK) != 0 }
        (self.options, self.library) = (options, library)
        logger = CompositionRoot.logger(options.logLevel)
        transport = CompositionRoot.transport(startsNow: needsNetwork, logger: logger)
        folders = CompositionRoot.keepFolders(options.keepFolder)
        sources = CompositionRoot.sources(transport, library, folders, logger)
    }

    private static func openLibrary(for targets: [String]) async throws(ExitStatus) -> Library? {
        let library: Library?
        do throws(LibraryError) {
            library = try await DiskWork.run { () throws(LibraryError) in try CompositionRoot.existingLibrary() }
        } catch {
            StandardStreams.write([LibraryFailureText.line(error)])
            guard !needsLibrary(targets) else { throw ExitStatus(error.kind) }
            return nil
        }
        guard library != nil || !targets.isEmpty else {
            StandardStreams.write([LibraryFailureText.noLibrary])
            throw .missing
        }
        return library
    }

    var targets: LibraryTargets? { library.map(LibraryTargets.init) }
    var downloads: LibraryDownloads? { library.map { LibraryDownloads($0, in: folders) } }
    var recorder: DownloadRecorder? { downloads.map(DownloadRecorder.init) }
    var transcripts: LibraryTranscripts? { library.map { LibraryTranscripts($0, transport: transport) } }
    var playedTranscripts: LibraryTranscripts? {
        library.map { LibraryTranscripts($0.whilePlaying, transport: transport) }
    }
    var spaceRecovery: DiskSpaceRecovery? { downloads.map(DiskSpaceRecovery.init) }

    /// - Parameter announce: receives a sentence about an inexact match; `nil` writes it.
    func resolver(
        _ scope: LibraryTargets.Scope = .everything, announce: (@Sendable (String) -> Void)? = nil
    ) -> TargetResolver {
        TargetResolver(
            transport: transport, library: targets, scope: scope,
            announce: announce ?? options.note)
    }

    /// Opens a target for reading from any frame.
    var audioOpener: AudioOpener {
        let downloads = library.map { LibraryDownloads($0.whilePlaying, in: folders) }
        return AudioOpener(
            resolver: resolver(), sources: sources, recorder: downloads.map(DownloadRecorder.init))
    }
}
