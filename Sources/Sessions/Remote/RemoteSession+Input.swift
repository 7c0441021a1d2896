// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import Media
import Playback
import TerminalInterface

// MARK: Input of the listener
extension RemoteSession {
    mutating func handle(_ input: SessionInput) {
        switch input {
        case .pressed(.character("d")): leave()
        case .pressed(let key): if let command = key.command { execute(command) }
        case .key(let command): execute(command)
        case .command(let command, let text):
            let line = SentLine(number: answers.expect(), text: text)
            if awaitsItems(command) { waiting.append((command, line)) } else { perform(command, line) }
        case .badCommand(let problem):
            let number = answers.expect()
            answer(problem, to: number)
        // Sound goes on when a terminal is closed.
        case .stop(let status) where status == .hungUp || status == .terminated:
            self.status = status
            leave()
        case .stop(let status):
            self.status = status
            stop()
        case .redraw:
            reporter.redraw(width: Terminal.width() ?? 80)
            refresh()
        case .tick, .commandsEnded: break
        }
    }

    /// True if a line waits for the reply. One that ends playback waits only for the lines before it, because the reply
    /// may wait for a slow server.
    private func awaitsItems(_ command: PlayerCommand) -> Bool {
        requested == nil && (command != .stop || !waiting.isEmpty)
    }

    /// Ends the session without ending playback.
    private mutating func leave() {
        refuseWaiting(MediaFailure(.temporary, "earshot ended before the episode began"))
        isOver = true
    }

    /// Executes the lines before the reply, now that the items of this session play.
    mutating func performWaiting() {
        for (command, line) in waiting { perform(command, line) }
        waiting = []
    }

    /// Answers the lines before a reply that names a failure: they concern items that do not play.
    mutating func refuseWaiting(_ failure: MediaFailure) {
        for (_, line) in waiting { answer(CommandAnswer(line: line.text, problem: failure.reason), to: line.number) }
        waiting = []
    }

    private mutating func perform(_ command: PlayerCommand, _ line: SentLine) {
        guard command == .stop else { return forward(command, line) }
        answer(CommandAnswer(line: line.text), to: line.number)
        stop()
    }

    /// Sends a line. The next one counts the items as this one leaves them.
    private mutating func forward(_ command: PlayerCommand, _ line: SentLine) {
        let scope = scope(of: command)
        requested?.edit(command, by: line.number)
        call(.command, [.init("line", .string(line.text))] + scope) { [send] in send.yield(.answered(line, $0)) }
    }

    /// The parameter that makes positions count the items of this session.
    private func scope(of command: PlayerCommand) -> [JSONValue.Member] {
        guard command.hasPosition, let items = requested?.items else { return [] }
        return [.init("items", .array(items.map(JSONValue.integer)))]
    }

    mutating func accept(_ reply: ControlLink.Reply, to line: SentLine) {
        var problem: String?
        if case .failure(let failure) = reply { problem = MediaFailure(failure).reason }
        requested?.settle(line.number, isDone: problem == nil)
        answer(CommandAnswer(line: line.text, problem: problem), to: line.number)
        if requested?.isOver == true { isOver = true }
        requestStatus()
    }

    private mutating func answer(_ answer: CommandAnswer, to line: Int) {
        for due in answers.accept(answer, to: line) { write(reporter.answer(due)) }
    }

    /// Ends playback; the session ends with it.
    private mutating func stop() {
        isStopping = true
        call(.stop) { [send] _ in send.yield(.lost(.closed)) }
    }

    private mutating func execute(_ command: PlayerCommand) {
        if command == .stop { return stop() }
        guard let (method, parameters) = request(command) else { return }
        call(method, parameters) { [send] in send.yield(.accepted($0)) }
        requestStatus()
    }

    /// Returns the request of a key.
    private func request(_ command: PlayerCommand) -> (MethodName, [JSONValue.Member])? {
        func line(_ text: String) -> (MethodName, [JSONValue.Member]) { (.command, [.init("line", .string(text))]) }
        switch command {
        case .togglePause: return (.toggle, [])
        case .seek(.relative(let distance)):
            let seconds = distance.components.seconds
            return line("seek \(seconds < 0 ? "" : "+")\(seconds)")
        case .previous: return (.previous, [])
        case .next: return (.next, [])
        case .chapter(.next): return line("next-chapter")
        case .chapter(.previous): return line("previous-chapter")
        case .changeVolume(let step): return (.volume, [.init("by", .integer(Int64((step * 100).rounded())))])
        case .changeSpeed(let step): return line("speed \(step < 0 ? "" : "+")\(step)")
        case .setSpeed(let speed): return line("speed \(speed)")
        case .cycleSleep: return line("sleep next")
        case .mark: return line("bookmark")
        case .retry: return (.retry, [])
        case .playNow: return (.hurry, [])
        case .cycleRepeat: return line("repeat next")
        default: return nil
        }
    }

    /// Sends the options that change the player.
    func applyOptions() {
        for (method, parameters) in options.calls {
            call(method, parameters) { [send] in send.yield(.accepted($0)) }
        }
    }
}
