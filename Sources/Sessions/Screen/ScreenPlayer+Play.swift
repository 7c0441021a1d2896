// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import Dispatch
import EpisodeLibrary
import Media
import Screens

/// Returns the options in the arguments of `earshot play`; `nil` if these are wrong or ask for help.
package typealias PlayParsing = @Sendable ([String]) -> PlayOptions?

extension ScreenPlayer {
    /// A bit longer than the start of an owner.
    static let settlingSeconds = 25

    /// Waits until the requests to play are answered.
    /// - Returns: true if they are answered within the time.
    func settle(withinSeconds seconds: Int) -> Bool { unanswered.wait(timeout: .now() + .seconds(seconds)) == .success }

    /// Plays as `earshot play` does beside an owner of playback.
    func play(_ options: PlayOptions) {
        guard options.bookmark != nil else { return request(options) }
        unanswered.enter()
        Task {
            defer { unanswered.leave() }
            do throws(LibraryError) {
                request(try await options.atBookmark { [box] in box.send(.note($0)) })
            } catch {
                box.send(.failure(error.reason))
            }
        }
    }

    private func request(_ options: PlayOptions) {
        reach(starting: true) { [weak self] link in
            self?.call(link, .play, options.playParameters) { [weak self] reply in
                self?.report(reply)
                if case .success = reply { self?.apply(options, to: link) }
                self?.askStatus()
            }
        }
    }

    /// Sends the options that change the player.
    private func apply(_ options: PlayOptions, to link: ControlLink) {
        for (method, parameters) in options.calls {
            call(link, method, parameters) { [weak self] in self?.report($0) }
        }
    }

    /// Sends a request that `settle` waits for.
    private func call(
        _ link: ControlLink, _ method: MethodName, _ parameters: [JSONValue.Member],
        _ receive: @escaping @Sendable (ControlLink.Reply) -> Void
    ) {
        unanswered.enter()
        link.call(method, parameters) { [unanswered] reply in
            receive(reply)
            unanswered.leave()
        }
    }
}
