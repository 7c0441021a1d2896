// SPDX-License-Identifier: GPL-3.0-or-later
import ControlSocket
import FullScreen
import Glibc
import Media
import Screens
import Synchronization
package import TerminalInterface

/// The interface in lines, `earshot tui --lines`: a prompt for commands, and events as sentences.
///
/// It suits screen readers and terminals that cannot redraw. Nothing is written without a cause, so no clock ticks.
package enum LineSession {
    private static let greeting = "Type a command of earshot, or \"help\". \"quit\" leaves; playback continues."
    private static let prompt = "> "

    /// - Parameters:
    ///   - parse: parses the arguments of `play`.
    ///   - output: the sound output of an owner of playback that this starts; `nil` for the usual one.
    package static func run(parse: @escaping PlayParsing, output: String?) async -> ExitStatus {
        let running = RunningChild()
        // Ctrl-C ends the command that runs; without one, it ends this program.
        SignalWatcher.watch { signal in
            if running.isRunning, signal == .interrupt || signal == .quit { return }
            SignalWatcher.deliver(signal)
        }
        let box = ScreenMailbox()
        let arguments = output.map { ["--output", $0] } ?? []
        let player = ScreenPlayer(box, serviceArguments: arguments, showsDownload: false)
        return await withCheckedContinuation { continuation in
            let thread = WorkerThread.start {
                var loop = LineLoop(box, player, running, parse)
                continuation.resume(returning: loop.run(greeting, prompt))
            }
            if let thread { thread.detach() } else { continuation.resume(returning: .unavailable) }
        }
    }
}

/// The command that has the terminal.
final class RunningChild: Sendable {
    private let state = Mutex(false)

    var isRunning: Bool { state.withLock { $0 } }
    func set(_ isRunning: Bool) { state.withLock { $0 = isRunning } }
}

/// The loop of the line mode, on a thread of its own.
private struct LineLoop: ~Copyable {
    private let box: ScreenMailbox
    private let player: ScreenPlayer
    private let running: RunningChild
    private let parse: PlayParsing
    private var watch = FolderWatch()
    /// The control socket, and its folder, which stands for lost events.
    private var files: Set<String> = []
    private var splitter = LineSplitter()
    private var sentences = PlayerSentences()
    private var state: PlayerState?
    /// The failure that was last reported for the current command: its reply and an event have the same one.
    private var failure: String?
    private var prompt = ""
    private var status: ExitStatus?

    init(
        _ box: ScreenMailbox, _ player: ScreenPlayer, _ running: RunningChild, _ parse: @escaping PlayParsing
    ) {
        (self.box, self.player, self.running, self.parse) = (box, player, running, parse)
        guard let folder = ScreenPlayer.folder?.path else { return }
        watch?.add(folder)
        files = ["\(folder)/control", folder]
    }

    mutating func run(_ greeting: String, _ prompt: String) -> ExitStatus {
        let isInteractive = Terminal.standardInputIsTerminal
        self.prompt = isInteractive ? prompt : ""
        if isInteractive { StandardStreams.write([.output(greeting + "\n")]) }
        player.connect()
        write(self.prompt)
        while status == nil {
            // While a command has the terminal, nothing else reads from it.
            let changed = box.wait(atMost: nil, or: [STDIN_FILENO] + (watch.map { [$0.descriptor] } ?? []))
            if changed.contains(where: { $0 != STDIN_FILENO }), let paths = watch?.changes(),
                !paths.isDisjoint(with: files)
            {
                player.connect(attempts: 10)
            }
            for input in box.take() where status == nil { handle(input) }
            if status == nil, changed.contains(STDIN_FILENO) {
                handle(StandardStreams.nextInput().map { .bytes($0) } ?? .closed)
            }
        }
        endPlayer()
        return status ?? .success
    }

    /// Closes the connection after the answers to the last commands, and reports their failures.
    private mutating func endPlayer() {
        if !player.settle(withinSeconds: 1) {
            if !prompt.isEmpty { write("Waiting for the player; Ctrl-C leaves.\n") }
            _ = player.settle(withinSeconds: ScreenPlayer.settlingSeconds)
        }
        prompt = ""
        for input in box.take() { handle(input) }
        player.stop()
    }

    private mutating func handle(_ input: ScreenInput) {
        switch input {
        case .event(.player(let player)):
            state = player
            for sentence in sentences.sentences(player) { say(sentence) }
        case .event(.failure(let text)) where text != failure:
            failure = text
            say("Error: \(PrintableText(text).text)")
        case .event(.note(let text)): say(PrintableText(text).text)
        case .bytes(let bytes):
            for line in splitter.consume(bytes) where status == nil { handle(line) }
        case .closed:
            if let line = splitter.finish() { handle(line) }
            status = status ?? .success
        case .ownerAppeared: player.connect(attempts: 10)
        default: break
        }
    }

    /// Writes a sentence on a line of its own, and the prompt again.
    private mutating func say(_ sentence: String) {
        write((prompt.isEmpty ? "" : "\n") + sentence + "\n" + prompt)
    }

    private mutating func write(_ text: String) {
        guard !text.isEmpty, !StandardStreams.write([.output(text)]) else { return }
        status = .inputOutput
    }

    private mutating func handle(_ line: LineSplitter.Line) {
        // The terminal sends Ctrl-L with the line. Alone, it shows the state again, as an empty line does.
        guard case .text(let text) = line, let words = CommandWords.arguments(text.filter { $0 != "\u{0C}" }) else {
            return write("A quote is not closed.\n" + prompt)
        }
        failure = nil
        switch words.first {
        case nil: write((state.map { PlayerSentences.state($0) } ?? "Nothing is playing.") + "\n")
        case "quit" where words.count == 1, "q" where words.count == 1, "exit" where words.count == 1:
            return status = .success
        case "help" where words.count == 1, "?" where words.count == 1: run(["--help"])
        default: perform(words)
        }
        if status == nil { write(prompt) }
    }

    private mutating func perform(_ words: [String]) {
        switch ScreenCommand(words) {
        case .play(let arguments):
            // The command itself reports wrong arguments, and prints its help.
            if let options = parse(arguments) { player.play(options) } else { run(words) }
        case .refused where words[0] == "tui": write("This is the interface in lines.\n")
        // A command may use this terminal.
        case .refused, .background: run(words)
        }
    }

    private mutating func run(_ arguments: [String]) {
        do throws(SystemError) {
            running.set(true)
            defer { running.set(false) }
            let child = try ChildProcess(arguments, .foreground)
            let result = child.wait()
            if result != 0 { write("The command failed with the status \(result).\n") }
        } catch {
            write("Error: the command cannot be started: \(error.phrase)\n")
        }
    }
}
