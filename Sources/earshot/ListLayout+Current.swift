// SPDX-License-Identifier: GPL-3.0-or-later
import Sessions
import TerminalInterface

extension ListLayout {
    /// The layout for standard output.
    static var current: ListLayout {
        let width = Terminal.outputWidth()
        let style = LineStyle(isTerminal: width != nil, environment: CompositionRoot.environment)
        return ListLayout(width: width, glyphs: style.glyphs)
    }
}
