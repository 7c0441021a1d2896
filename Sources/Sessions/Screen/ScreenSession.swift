// SPDX-License-Identifier: GPL-3.0-or-later
import FullScreen
import Media
package import Screens
package import TerminalInterface

/// The full-screen interface: `earshot tui`.
package enum ScreenSession {
    /// - Parameters:
    ///   - commands: returns the commands of the program, for completion and help.
    ///   - parse: parses the arguments of `play`.
    ///   - output: the sound output of an owner of playback that the screen starts; `nil` for the usual one.
    package static func run(
        commands: @escaping @Sendable () -> [CommandWord], parse: @escaping PlayParsing, output: String?
    ) async -> ExitStatus {
        guard Terminal.standardInputIsTerminal, Terminal.standardOutputIsTerminal else {
            StandardStreams.write([FailureText.note("the screen needs a terminal; without one: earshot tui --lines")])
            return .wrongUsage
        }
        let terminal: ScreenOutput
        do throws(SystemError) {
            terminal = try ScreenOutput()
        } catch {
            StandardStreams.write([FailureText.note("cannot open the terminal: \(error.phrase)")])
            return ExitStatus(.inputOutput)
        }
        let box = ScreenMailbox()
        let file = ScreenFile(CompositionRoot.screenFile)
        let style = LineStyle(isTerminal: true, environment: CompositionRoot.environment)
        let parts = ScreenParts(
            box, terminal, style, mouse: file.hasMouse, serviceArguments: output.map { ["--output", $0] } ?? [],
            parse: parse)
        follow(parts)
        WorkerThread.start { box.send(.commands(commands())) }?.detach()
        let ending = await withCheckedContinuation { continuation in
            let thread = WorkerThread.start {
                continuation.resume(returning: show(parts, file))
            }
            if let thread { thread.detach() } else { continuation.resume(returning: .init(status: .unavailable)) }
        }
        return finish(ending, parts)
    }

    /// Passes signals and the bytes of the terminal to the loop.
    private static func follow(_ parts: ScreenParts) {
        let (box, use) = (parts.box, parts.use)
        SignalDriver.watch(takingTerminal: { use.take() }, { box.send(.signal($0)) })
        Task {
            for await bytes in StandardStreams.input(preparing: { box.send(.inForeground) }) {
                box.send(.bytes(bytes))
            }
            box.send(.closed)
        }
    }

    private static func show(_ parts: ScreenParts, _ file: ScreenFile) -> ScreenLoop.Ending {
        let (keys, problems) = KeyMap.parse(CompositionRoot.keyFile)
        let today = LocalDay(CompositionRoot.now) ?? LocalDay(year: 1970, month: 1, day: 1)
        var options = Screens.ScreenOptions(today: today, keys: keys)
        (options.hasMouse, options.hasClock) = (file.hasMouse, file.hasClock)
        for problem in problems { parts.box.send(.failure(problem)) }
        var loop = ScreenLoop(parts, Screen(options), file, day: today)
        return loop.run()
    }

    private static func finish(_ ending: ScreenLoop.Ending, _ parts: ScreenParts) -> ExitStatus {
        let ended = parts.stop()
        Terminal.restore()
        var lines = ending.sentence.isEmpty ? [] : [ending.sentence]
        if ended > 0 {
            lines.append(ended == 1 ? "1 running command was ended." : "\(ended) running commands were ended.")
        }
        if ending.status != .hungUp { StandardStreams.write(lines.map { .output($0 + "\n") }) }
        return ending.status
    }
}
