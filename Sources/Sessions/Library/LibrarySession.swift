// SPDX-License-Identifier: GPL-3.0-or-later
package import EpisodeLibrary
import Media
import Subscriptions
package import TerminalInterface

/// A command changed nothing; it reports the reason and exits with status 66.
package struct NothingChanged: Error {
    package let remarks: [ReportText]

    package init(_ remarks: [ReportText]) { self.remarks = remarks }
    package init(_ sentence: String) { remarks = [LibraryRemark.message(sentence)] }
}

/// A command on the library: opens it, runs the command and writes its output.
package enum LibrarySession {
    /// - Parameters:
    ///   - creates: true to create a missing library; otherwise the command uses an empty library in memory and leaves
    ///     no file.
    ///   - body: the command; it waits for the disk, so it runs outside the cooperative pool.
    package static func run(
        creates: Bool = false, _ body: @escaping @Sendable (Library) throws -> [ReportText]
    ) async throws {
        // Every change is one transaction, so the process may end at any point.
        SignalWatcher.leaveToSystem()
        do {
            let texts = try await DiskWork.run { () throws(any Error) in
                let library = try open(creates: creates)
                let before = try library.changeCount()
                let texts = try body(library)
                CompositionRoot.keepBackup(of: library)
                try LibraryNews.close(library, changedSince: before)
                return texts
            }
            StandardStreams.write(texts)
        } catch let error where error is NothingChanged || error is LibraryError || error is MediaFailure {
            throw await report(error)
        }
    }

    /// Reports an error of a command on the library. Restores a library in which damage was found.
    /// - Returns: the status of the error.
    static func report(_ error: any Error) async -> TerminalInterface.ExitStatus {
        switch error {
        case let nothing as NothingChanged:
            StandardStreams.write(nothing.remarks)
            return .missing
        case let found as LibraryError:
            let error = await rescued(found)
            StandardStreams.write([LibraryFailureText.line(error)])
            return ExitStatus(error.kind)
        default:
            let failure = MediaFailure(converting: error)
            StandardStreams.write([FailureText.note(failure.reason)])
            return ExitStatus(failure.kind)
        }
    }

    private static func open(creates: Bool) throws(LibraryError) -> Library {
        if creates { return try CompositionRoot.library() }
        if let library = try CompositionRoot.existingLibrary() { return library }
        return try CompositionRoot.emptyLibrary()
    }

    /// Restores a library in which damage was found; it is already closed.
    /// - Returns: the error to report.
    private static func rescued(_ error: LibraryError) async -> LibraryError {
        guard error.kind == .damaged else { return error }
        do throws(LibraryError) {
            let isRescued = try await DiskWork.run { () throws(LibraryError) in try CompositionRoot.rescueLibrary() }
            let advice = "the library was damaged and is now restored: run the command again"
            return isRescued ? LibraryError(.damaged, advice) : error
        } catch {
            return error
        }
    }
}

extension MediaFailure {
    /// Converts the error of an operation on the library and its files; an unknown error is `inputOutput`.
    init(converting error: any Error) {
        switch error {
        case let failure as MediaFailure: self = failure
        case let failure as LibraryError: self.init(failure)
        default: self.init(.inputOutput, "\(error)")
        }
    }
}
