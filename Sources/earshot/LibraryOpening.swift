// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Listening
import TerminalInterface

/// Opens the library for a session that may do without one.
enum LibraryOpening {
    enum Outcome {
        case success(Library?)
        /// It was said why.
        case failure(TerminalInterface.ExitStatus)
    }

    /// - Parameter isNeeded: what is to be done is in the library; else it is about what has an address, which can be
    ///   had without.
    static func open(isNeeded: Bool) async -> Outcome {
        do throws(LibraryError) {
            let library = try await DiskWork.run { () throws(LibraryError) in try CompositionRoot.existingLibrary() }
            guard library != nil || !isNeeded else {
                StandardStreams.write([LibraryFailureText.noLibrary])
                return .failure(.missing)
            }
            return .success(library)
        } catch {
            StandardStreams.write([LibraryFailureText.line(error)])
            return isNeeded ? .failure(ExitStatus(error.kind)) : .success(nil)
        }
    }
}
