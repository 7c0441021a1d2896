// SPDX-License-Identifier: GPL-3.0-or-later
package import TerminalInterface

/// The options of `earshot loop`.
package struct LoopOptions: Sendable {
    package var target: String
    package var play: SectionPlayback
    package var output: OutputOption
    package var session: SessionOptions

    package init(
        target: String, play: SectionPlayback, output: OutputOption, session: SessionOptions
    ) {
        self.target = target
        self.play = play
        self.output = output
        self.session = session
    }
}
