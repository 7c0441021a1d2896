// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import EpisodeSources
import Subscriptions
import TerminalInterface

/// Opens the library for a session that can run without one.
enum LibraryOpening {
    enum Outcome {
        case success(Library?)
        /// The library could not be opened; the reason was reported.
        case failure(TerminalInterface.ExitStatus)
    }

    /// Opens the library.
    /// - Parameter targets: the targets of the session; URLs and paths do not need the library.
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
