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

/// One command on the library: opens it, lets the command work, says what came of it.
enum LibrarySession {
    /// - Parameter body: waits for the disk, so it is done off the cooperative pool.
    static func run(_ body: @escaping @Sendable (Library) throws -> [ReportText]) async throws {
        // Every change is one transaction: it can end anywhere.
        SignalWatcher.leaveToSystem()
        do {
            let texts = try await DiskWork.run { () throws(any Error) in
                let library = try CompositionRoot.library()
                let texts = try body(library)
                try library.close()
                return texts
            }
            StandardStreams.write(texts)
        } catch let error as LibraryError {
            StandardStreams.write([LibraryFailureText.line(error)])
            throw ExitCode(TerminalInterface.ExitStatus(error.kind).rawValue)
        } catch let error as MediaFailure {
            StandardStreams.write([LibraryFailureText.line(LibraryError(.inputOutput, error.reason))])
            throw ExitCode(TerminalInterface.ExitStatus(error.kind).rawValue)
        }
    }
}
