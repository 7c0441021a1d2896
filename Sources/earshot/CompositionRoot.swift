// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EpisodeLibrary
import Glibc
import HTTPTransfer
import Listening
import Logging
import Media
import Playback
import Podcasts
import ProgressiveDownload
import TerminalInterface

/// The one place that builds concrete parts.
enum CompositionRoot {
    static let version = "0.1.0"

    static func transport(logger: Logger) -> CurlTransport {
        CurlTransport(version: version, logger: logger)
    }

    /// - Parameters:
    ///   - buffer: how much a device is given ahead.
    ///   - prepare: may wait for frames where nobody listens.
    static func sink(
        for output: OutputOption, buffer: Duration = .milliseconds(250), logger: Logger,
        prepare: @escaping @Sendable (_ frames: Int) -> Void = { _ in }
    ) -> any AudioSink {
        switch output {
        case .pulse(let name): PulseSink(sinkName: name, buffer: buffer, logger: logger)
        case .null: NullSink(pace: .realTime)
        case .nullFast: NullSink(pace: .asFastAsPossible, prepare: prepare)
        case .wav(let path): FileSink(path: path, container: .wav, prepare: prepare)
        case .raw(let path): FileSink(path: path, container: .raw, prepare: prepare)
        }
    }

    /// A device wants two channels whatever comes first on the playlist; a file is as its first item is.
    static func channels(of output: OutputOption) -> Int? {
        switch output {
        case .pulse: 2
        case .null, .nullFast, .wav, .raw: nil
        }
    }

    static func rate(of output: OutputOption) -> OutputRate {
        switch output {
        case .pulse: .device
        case .wav, .raw: .file
        // Nobody hears it.
        case .null, .nullFast: .firstItem
        }
    }

    /// Where episodes are kept: `--keep-dir`, else beside the library.
    static func keepFolders(_ option: String?) -> KeepFolders {
        KeepFolders(
            standard: KeepDirectory(path: dataFolder + "/episodes"),
            chosen: option.map { KeepDirectory(path: absolute($0)) })
    }

    /// The library remembers the folder, wherever the next command is given.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let buffer = getcwd(nil, 0) else { return path }
        defer { free(buffer) }
        return String(cString: buffer) + "/" + path
    }

    static func soundOpening(
        _ keepFolder: String?, _ transport: any HTTPTransport, _ logger: Logger
    ) async throws(MediaFailure) -> AudioOpener {
        let library: Library?
        do throws(LibraryError) {
            library = try await DiskWork.run { () throws(LibraryError) in try existingLibrary() }
        } catch {
            throw MediaFailure(error)
        }
        let folders = keepFolders(keepFolder)
        return AudioOpener(
            resolver: TargetResolver(transport: transport, library: library.map(LibraryTargets.init)) {
                StandardStreams.write([FailureText.note($0)])
            },
            sources: sources(transport, library, folders, logger),
            recorder: library.map { DownloadRecorder(LibraryDownloads($0, in: folders)) })
    }

    static func sources(
        _ transport: any HTTPTransport, _ library: Library?, _ folders: KeepFolders, _ logger: Logger
    ) -> EnclosureSources {
        EnclosureSources(
            transport: transport, keeping: folders,
            recorder: library.map { DownloadRecorder(LibraryDownloads($0, in: folders)) },
            renewal: library.map { EnclosureRenewal($0, transport: transport) }, logger: logger)
    }

    static func library() throws(LibraryError) -> Library {
        do throws(MediaFailure) {
            try KeepDirectory(path: dataFolder).create()
        } catch {
            throw LibraryError(.notWritable, error.reason)
        }
        return try LibraryRescue.open(libraryPath, now: { now }) { rescue in
            StandardStreams.write([LibraryFailureText.rescued(rescue)])
        }
    }

    /// Rescues the library after damage was found in it, and says so. It must be closed.
    /// - Returns: whether it was rescued.
    static func rescueLibrary() throws(LibraryError) -> Bool {
        guard let rescue = try LibraryRescue.rescue(libraryPath, isDamaged: true, now: { now }) else { return false }
        StandardStreams.write([LibraryFailureText.rescued(rescue)])
        return true
    }

    /// A backup that cannot be written now is written by the next command.
    static func keepBackup(of library: Library, _ level: Logger.Level = .warning) {
        do throws(LibraryError) {
            try library.keepBackup()
        } catch {
            logger(level).info("the backup of the library cannot be written", metadata: ["error": "\(error)"])
        }
    }

    private static var libraryPath: String { dataFolder + "/library.db" }

    /// The library, where there is one.
    static func existingLibrary() throws(LibraryError) -> Library? {
        access(libraryPath, F_OK) == 0 || LibraryRescue.looksDamaged(libraryPath) ? try library() : nil
    }

    static func emptyLibrary() throws(LibraryError) -> Library { try Library(inMemory: { now }) }

    /// Shared by the players of the library; `nil` where it cannot be had: then each plays as if it were alone.
    static func playingRegister() -> PlayingRegister? { PlayingRegister(path: dataFolder + "/playing") }

    /// The wall clock.
    static var now: UTCTime { UTCTime(secondsSince1970: Int64(Glibc.time(nil))) }

    /// Below `$XDG_DATA_HOME` (XDG Base Directory Specification).
    private static var dataFolder: String {
        let home = environment("HOME") ?? "."
        let data = environment("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil } ?? home + "/.local/share"
        return data + "/earshot"
    }

    static func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "earshot") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }

    static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
