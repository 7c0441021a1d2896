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

    /// - Parameter targets: what has an address can be had without it; none is what the library says.
    static func open(for targets: [String]) async -> Outcome {
        do throws(LibraryError) {
            let library = try await DiskWork.run { () throws(LibraryError) in try CompositionRoot.existingLibrary() }
            guard library != nil || !targets.isEmpty else {
                StandardStreams.write([LibraryFailureText.noLibrary])
                return .failure(.missing)
            }
            return .success(library)
        } catch {
            StandardStreams.write([LibraryFailureText.line(error)])
            let isNeeded = targets.isEmpty || targets.contains(where: TargetResolver.isName)
            return isNeeded ? .failure(ExitStatus(error.kind)) : .success(nil)
        }
    }
}
