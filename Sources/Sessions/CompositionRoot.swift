// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioOutput
import ControlSocket
package import EpisodeLibrary
import EpisodeSources
import Glibc
import HTTPTransfer
package import Logging
package import Media
package import Playback
package import ProgressiveDownload
import Subscriptions
package import TerminalInterface

/// The composition root: the only code that creates concrete parts.
package enum CompositionRoot {
    /// The version of the release. Scripts/setup and CHANGELOG.md follow it.
    package static let version = "0.2.0"

    /// Starts to load what a command with these arguments needs, before they are parsed.
    package static func preload(for arguments: [String]) {
        guard arguments.contains(where: { $0.hasPrefix("http://") || $0.hasPrefix("https://") }) else { return }
        CurlTransport.preload()
    }

    /// - Parameter startsNow: false for a session that probably makes no request.
    static func transport(startsNow: Bool = true, logger: Logger) -> CurlTransport {
        CurlTransport(version: version, startsNow: startsNow, logger: logger)
    }

    /// - Parameter buffer: the duration of audio that a device buffers.
    package static func sink(
        for output: OutputOption, buffer: Duration = .milliseconds(250), logger: Logger
    ) -> any AudioSink {
        switch output {
        case .pulse(let name): PulseSink(sinkName: name, buffer: buffer, logger: logger)
        case .null: NullSink(pace: .realTime)
        case .nullFast: NullSink(pace: .asFastAsPossible)
        case .wav(let path): FileSink(path: path, container: .wav)
        case .raw(let path): FileSink(path: path, container: .raw)
        }
    }

    /// Opens a device without playing, on another thread. Waits at most some seconds.
    /// - Throws: the reason why it cannot play. Other outputs than a sound server's are not tried.
    static func check(_ output: OutputOption) async throws(MediaFailure) {
        if let error = await probe(output) { throw error.mediaFailure(.unavailable) }
    }

    /// Returns the reason why the sound server does not play on an output; `nil` if it does, or does not answer.
    static func refusal(of output: OutputOption) async -> String? {
        if case .refused(_, let reason)? = await probe(output) { reason } else { nil }
    }

    /// Returns the error of opening a device; `nil` if it can be opened, or if the output is no device.
    private static func probe(_ output: OutputOption) async -> AudioOutputError? {
        guard case .pulse(let name) = output else { return nil }
        do throws(AudioOutputError) {
            _ = try await DiskWork.run { () throws(AudioOutputError) in try device(name) }
            return nil
        } catch {
            return error
        }
    }

    /// Opens a device of the sound server without playing.
    /// - Returns: its name.
    static func device(_ name: String? = nil) throws(AudioOutputError) -> String? {
        let sink = PulseSink(sinkName: name, logger: logger(.critical))
        let device = try sink.probe()
        try sink.close()
        return device
    }

    /// Returns the channels of the output: two for a device; a file has those of its first item.
    package static func channels(of output: OutputOption) -> Int? {
        switch output {
        case .pulse: 2
        case .null, .nullFast, .wav, .raw: nil
        }
    }

    package static func rate(of output: OutputOption) -> OutputRate {
        switch output {
        case .pulse: .device
        case .wav, .raw: .file
        // Not audible.
        case .null, .nullFast: .firstItem
        }
    }

    /// Returns the download folders: `--keep-dir`, otherwise the folder beside the library.
    package static func keepFolders(_ option: String?) -> KeepFolders {
        KeepFolders(
            standard: KeepDirectory(path: dataFolder + "/episodes"),
            chosen: option.map { KeepDirectory(path: absolute($0)) })
    }

    /// Returns an absolute path: the library stores the folder, and the next command may run elsewhere.
    private static func absolute(_ path: String) -> String {
        guard !path.hasPrefix("/"), let buffer = getcwd(nil, 0) else { return path }
        defer { free(buffer) }
        return String(cString: buffer) + "/" + path
    }

    /// Returns a target for a process in another folder.
    static func target(_ target: String) -> String {
        let isFile = !target.allSatisfy(\.isNumber) && !WebURL(target).isAbsolute && access(target, F_OK) == 0
        return isFile ? absolute(target) : target
    }

    static func sources(
        _ transport: any HTTPTransport, _ library: Library?, _ folders: KeepFolders, _ logger: Logger
    ) -> EnclosureSources {
        let playing = library?.whilePlaying
        return EnclosureSources(
            transport: transport, keeping: folders,
            recorder: playing.map { DownloadRecorder(LibraryDownloads($0, in: folders)) },
            renewal: library.map { EnclosureRenewal($0, transport: transport) },
            chapters: playing.map {
                LibraryChapters($0, documents: ChapterDocumentRefresh($0, transport: transport), logger: logger)
            }, logger: logger)
    }

    /// - Parameter report: gets the report of a rescue.
    package static func library(
        _ report: (ReportText) -> Void = { StandardStreams.write([$0]) }
    ) throws(LibraryError) -> Library {
        do throws(MediaFailure) {
            try KeepDirectory(path: dataFolder).create()
        } catch {
            throw LibraryError(.notWritable, error.reason)
        }
        let runtime = RuntimeFolder.path(environment: controlEnvironment)
        let path = libraryPath
        return try LibraryRescue.open(
            path, besideLink: path == libraryName ? nil : libraryName, runtimeFolder: runtime, now: { now }
        ) { rescue in report(LibraryFailureText.rescued(rescue)) }
    }

    /// Restores a damaged library and reports it. The library must be closed.
    /// - Returns: true if it was restored.
    package static func rescueLibrary() throws(LibraryError) -> Bool {
        guard let rescue = try LibraryRescue.rescue(libraryPath, isDamaged: true, now: { now }) else { return false }
        StandardStreams.write([LibraryFailureText.rescued(rescue)])
        return true
    }

    /// Writes a backup of the library. After a failure, the next command tries again.
    static func keepBackup(of library: Library, _ level: Logger.Level = .warning) {
        do throws(LibraryError) {
            try library.keepBackup()
        } catch {
            logger(level).info("cannot write the backup of the library", metadata: ["error": "\(error)"])
        }
    }

    /// The library's file. If the listener keeps it elsewhere, with a link here, its log and backup are there, too.
    static var libraryPath: String { SymbolicLink.target(of: libraryName) }

    /// The name of the library in the data folder, which may be a link.
    private static var libraryName: String { dataFolder + "/library.db" }

    /// Returns the library; `nil` if there is none.
    package static func existingLibrary(
        _ report: (ReportText) -> Void = { StandardStreams.write([$0]) }
    ) throws(LibraryError) -> Library? {
        access(libraryPath, F_OK) == 0 || LibraryRescue.looksDamaged(libraryPath) ? try library(report) : nil
    }

    /// The names of the library, opened without changing it.
    static func completion() throws(LibraryError) -> NameCompletion { try NameCompletion(path: libraryPath) }

    static func emptyLibrary() throws(LibraryError) -> Library { try Library(inMemory: { now }) }

    /// Returns the register shared by all players of the library; `nil` if it is unavailable, and players then ignore
    /// each other.
    static func playingRegister() -> PlayingRegister? { PlayingRegister(path: dataFolder + "/playing") }

    /// The wall clock.
    package static var now: UTCTime { UTCTime(secondsSince1970: Int64(Glibc.time(nil))) }

    /// The data folder below `$XDG_DATA_HOME`.
    static var dataFolder: String {
        baseFolder("XDG_DATA_HOME", orHome: ".local/share") + "/earshot"
    }

    /// Returns a base folder (XDG Base Directory Specification): the value of a variable if it is an absolute path,
    /// otherwise a folder in the home directory.
    private static func baseFolder(_ variable: String, orHome folder: String) -> String {
        if let path = environment(variable), path.hasPrefix("/") { return path }
        return "\(environment("HOME") ?? ".")/\(folder)"
    }

    /// The file with the remembered volume and output.
    static var soundFile: StateFile { stateFile("sound") }

    /// The file that says what a service plays.
    static var deckFile: StateFile { stateFile("deck") }

    /// The file with the identity of the last notification.
    static var noticeFile: StateFile { stateFile("notification") }

    /// The file with the options of the screen.
    static var screenFile: StateFile { stateFile("screen") }

    private static func stateFile(_ name: String) -> StateFile {
        StateFile(name, in: baseFolder("XDG_STATE_HOME", orHome: ".local/state") + "/earshot")
    }

    /// The file with the keys of the screen; empty if there is none. `$XDG_CONFIG_HOME/earshot/keys`.
    static var keyFile: String {
        StateFile("keys", in: baseFolder("XDG_CONFIG_HOME", orHome: ".config") + "/earshot").read()
    }

    package static func logger(_ level: Logger.Level) -> Logger {
        var logger = Logger(label: "earshot") { StreamLogHandler.standardError(label: $0) }
        logger.logLevel = level
        return logger
    }

    package static func environment(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }
}
