// SPDX-License-Identifier: GPL-3.0-or-later
import FullScreen
import Screens
import Synchronization
import TerminalInterface

/// The parts that perform the effects of the screen.
struct ScreenParts: Sendable {
    let box: ScreenMailbox
    let output: ScreenOutput
    let library: ScreenLibrary
    let player: ScreenPlayer
    let commands: ScreenCommands
    let covers: ScreenCovers
    let use: SharedScreenUse
    let style: LineStyle
    let parse: PlayParsing

    init(
        _ box: ScreenMailbox, _ output: ScreenOutput, _ style: LineStyle, mouse: Bool, serviceArguments: [String],
        parse: @escaping PlayParsing
    ) {
        (self.box, self.output, self.style, self.parse) = (box, output, style, parse)
        let access = SharedLibrary(box)
        library = ScreenLibrary(box, access)
        player = ScreenPlayer(box, serviceArguments: serviceArguments)
        commands = ScreenCommands(box)
        covers = ScreenCovers(box, access, hasColours: style.colour, isUnicode: style.glyphs == .unicode)
        use = SharedScreenUse(output, mouse: mouse)
    }

    /// Ends what the screen started, except playback.
    /// - Returns: the number of commands that were ended.
    func stop() -> Int {
        library.stop()
        player.stop()
        covers.stop()
        return commands.stop()
    }
}

/// The use of the screen, which signals begin again after a stop.
final class SharedScreenUse: Sendable {
    private let output: ScreenOutput
    private let use: Mutex<ScreenUse>

    init(_ output: ScreenOutput, mouse: Bool) {
        self.output = output
        use = Mutex(ScreenUse(output, mouse: mouse))
    }

    /// Begins to use the terminal, under the conditions of `Terminal.takeScreen`.
    @discardableResult
    func take() -> Bool { Terminal.takeScreen(use.withLock { $0 }) }

    func setMouse(_ isOn: Bool) { use.withLock { $0 = ScreenUse(output, mouse: isOn) } }
}
