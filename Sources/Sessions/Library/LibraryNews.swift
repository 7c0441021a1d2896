// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import Media

/// The news for the owner of playback that a command has changed the library.
enum LibraryNews {
    /// A busy owner notices the change in the files of the library as well.
    private static let timeout = Duration.milliseconds(500)

    /// Sends the news; without an owner, does nothing.
    static func send() {
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
