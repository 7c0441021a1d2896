// SPDX-License-Identifier: GPL-3.0-or-later
import ArgumentParser
import EpisodeLibrary
import Listening
import Media
import TerminalInterface

/// What every command has that looks into the library.
struct LibraryOptions: ParsableArguments {
    @Flag(help: "Write JSON to standard output: docs/json-library.md.")
    var json = false
}

/// Everything is as it was before the command, which says why and ends with status 66.
struct NothingChanged: Error {
    let remarks: [ReportText]

    init(_ remarks: [ReportText]) { self.remarks = remarks }
    init(_ sentence: String) { remarks = [LibraryRemark.said(sentence)] }
}

/// One command on the library: opens it, lets the command work, says what came of it.
enum LibrarySession {
    /// - Parameters:
    ///   - creates: whether to make a library where there is none; else the command works on an empty one in memory,
    ///     and leaves no file behind.
    ///   - body: waits for the disk, so it is done off the cooperative pool.
    static func run(
        creates: Bool = false, _ body: @escaping @Sendable (Library) throws -> [ReportText]
    ) async throws {
        // Every change is one transaction: it can end anywhere.
        SignalWatcher.leaveToSystem()
        do {
            let texts = try await DiskWork.run { () throws(any Error) in
                let library = try open(creates: creates)
                let texts = try body(library)
                CompositionRoot.keepBackup(of: library)
                try library.close()
                return texts
            }
            StandardStreams.write(texts)
        } catch let error as NothingChanged {
            StandardStreams.write(error.remarks)
            throw ExitCode(TerminalInterface.ExitStatus.missing.rawValue)
        } catch let error as LibraryError {
            let error = await rescued(error)
            StandardStreams.write([LibraryFailureText.line(error)])
            throw ExitCode(TerminalInterface.ExitStatus(error.kind).rawValue)
        } catch let error as MediaFailure {
            StandardStreams.write([LibraryFailureText.line(LibraryError(.inputOutput, error.reason))])
            throw ExitCode(TerminalInterface.ExitStatus(error.kind).rawValue)
        }
    }

    private static func open(creates: Bool) throws(LibraryError) -> Library {
        if creates { return try CompositionRoot.library() }
        if let library = try CompositionRoot.existingLibrary() { return library }
        return try CompositionRoot.emptyLibrary()
    }

    /// Rescues a library in which damage was found; it is closed by now.
    /// - Returns: what to say of the command.
    static func rescued(_ error: LibraryError) async -> LibraryError {
        guard error.kind == .damaged else { return error }
        do throws(LibraryError) {
            let isRescued = try await DiskWork.run { () throws(LibraryError) in try CompositionRoot.rescueLibrary() }
            return isRescued ? LibraryError(.damaged, "damage was found on the way: run the command again") : error
        } catch {
            return error
        }
    }
}
