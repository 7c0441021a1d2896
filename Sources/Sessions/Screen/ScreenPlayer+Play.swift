// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import EpisodeLibrary
import Media
import Screens

/// Returns the options in the arguments of `earshot play`; `nil` if these are wrong or ask for help.
package typealias PlayParsing = @Sendable ([String]) -> PlayOptions?

extension ScreenPlayer {
    /// Plays as `earshot play` does beside an owner of playback.
    func play(_ options: PlayOptions) {
        guard options.bookmark != nil else { return request(options) }
        Task {
            do throws(LibraryError) {
                request(try await options.atBookmark())
            } catch {
                box.send(.failure(error.reason))
            }
        }
    }

    private func request(_ options: PlayOptions) {
        reach(starting: true) { [weak self] link in
            link.call(.play, options.playParameters) { [weak self] reply in
                self?.report(reply)
                if case .success = reply { self?.apply(options, to: link) }
                self?.askStatus()
            }
        }
    }

    /// Sends the options that change the player.
    private func apply(_ options: PlayOptions, to link: ControlLink) {
        for (method, parameters) in options.calls {
            link.call(method, parameters) { [weak self] in self?.report($0) }
        }
    }
}
