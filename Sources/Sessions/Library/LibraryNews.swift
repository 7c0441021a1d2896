// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EpisodeLibrary
import Media

/// The news for the owner of playback that a command has changed the library.
enum LibraryNews {
    /// A busy owner notices the change in the files of the library as well.
    private static let timeout = Duration.milliseconds(500)

    /// Closes a library, and sends the news if its number of changes differs from an earlier one.
    static func close(_ library: Library, changedSince count: Int) throws(LibraryError) {
        let hasChanged = try library.changeCount() != count
        try library.close()
        if hasChanged { send() }
    }

    /// Sends the news; without an owner, does nothing.
    private static func send() {
        guard let folder = try? RuntimeFolder.open(environment: CompositionRoot.controlEnvironment, creates: false)
        else { return }
        do throws(ControlConnection.Failure) {
            var connection = try ControlConnection(to: folder, within: timeout)
            _ = try connection.call(.libraryChanged, within: timeout)
        } catch {
            return
        }
    }
}
