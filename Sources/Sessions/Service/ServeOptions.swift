// SPDX-License-Identifier: GPL-3.0-or-later
package import TerminalInterface

/// The options of `earshot serve`.
package struct ServeOptions: Sendable {
    /// The output; `nil` for the remembered one.
    package var output: OutputOption?
    /// The time without playback and clients after which the service ends; `nil` for never.
    package var idleExit: Duration?
    package var session: SessionOptions

    package init(output: OutputOption?, idleExit: Duration?, session: SessionOptions) {
        (self.output, self.idleExit, self.session) = (output, idleExit, session)
    }
}

/// The service, for the command `serve`.
package enum Service {
    /// Owns playback until a client or a signal ends the service.
    package static func run(_ options: ServeOptions) async -> ExitStatus { await ServiceSession.run(options) }
}
