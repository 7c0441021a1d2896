// SPDX-License-Identifier: GPL-3.0-or-later
import ControlProtocol
import ControlSocket
import Media
import Playback
import TerminalInterface

/// A run of `earshot play` beside the owner of playback: shows its state, and passes keys and commands on.
struct RemoteSession {
    enum Event: Sendable {
        case input(SessionInput)
        case event(JSONValue)
        /// The state of the player.
        case status(JSONValue)
        /// The reply to the request to play.
        case playing(ControlLink.Reply)
        /// The reply to a line of `--commands`.
        case answered(SentLine, ControlLink.Reply)
        /// The reply to a key.
        case accepted(ControlLink.Reply)
        case lost(ControlConnection.Failure)
        case tick
    }

    /// A line of `--commands`, and its number.
    struct SentLine: Sendable {
        let number: Int
        let text: String
    }

    let options: PlayOptions
    let link: ControlLink
    let send: AsyncStream<Event>.Continuation
    var reporter: any PlaybackReporter
    var remote = RemoteStatus()
    /// The items that this session asked for; `nil` before the reply.
    var requested: RequestedItems?
    /// The events before the reply.
    var early: [JSONValue] = []
    /// The lines before the reply: until then, another item may be the current one.
    var waiting: [(command: PlayerCommand, line: SentLine)] = []
    /// The items that the owner named.
    var items: [Int64: PlaybackItem] = [:]
    var answers = AnswerQueue()
    var status = ExitStatus.success
    var isOver = false
    /// True if the listener ended playback.
    var isStopping = false
    var hasEnded = false
    private let clock: SessionClock
    private let started = ContinuousClock.now

    init(_ options: PlayOptions, _ link: ControlLink, _ send: AsyncStream<Event>.Continuation) {
        (self.options, self.link, self.send) = (options, link, send)
        reporter = options.session.playbackReporter
        clock = SessionClock { send.yield(.tick) }
    }

    var now: Duration { ContinuousClock.now - started }

    /// The state of this moment.
    var present: PlayerStatus { numbered(remote.status(at: MonotonicTime.now)) }

    /// Returns a status with the position of its item among those that this session asked for.
    func numbered(_ status: PlayerStatus) -> PlayerStatus { requested?.numbered(status) ?? status }

    mutating func follow(_ events: AsyncStream<Event>) async -> ExitStatus {
        begin()
        for await event in events {
            handle(event)
            if isOver { break }
            tick(after: event)
        }
        StandardStreams.write(reporter.finish())
        Terminal.restore()
        return status
    }

    private func begin() {
        call(.subscribe, ControlSession.subscription(to: [.player, .notes], ticks: 1)) { [send] reply in
            if case .success(let result) = reply, let status = result["snapshot"]?["player"] {
                send.yield(.status(status))
            }
        }
        call(.play, options.playParameters) { [send] in send.yield(.playing($0)) }
    }

    private mutating func handle(_ event: Event) {
        switch event {
        case .input(let input): handle(input)
        case .status(let json):
            remote.update(json)
            if let item = json["item"], let id = item["id"]?.integer { items[id] = PlaybackItem(item: item) }
            refresh()
        case .event(let json): accept(json)
        case .playing(let reply): begin(reply)
        case .answered(let line, let reply): accept(reply, to: line)
        case .accepted(let reply):
            if case .failure(.refused(let error)) = reply { write(reporter.note(error.message)) }
        case .lost(let failure): end(failure)
        case .tick: refresh()
        }
    }

    mutating func refresh() {
        write(reporter.setBackground(Terminal.isShownInBackground))
        write(reporter.refresh(present, at: now))
    }

    /// Writes texts; ends when standard output is closed.
    mutating func write(_ texts: [ReportText]) {
        if !StandardStreams.write(texts) { isOver = true }
    }

    /// Ticks while the state moves, and once when a change has settled, so that its last state is shown.
    private func tick(after event: Event) {
        if remote.isMoving {
            clock.tickSoon()
        } else if case .tick = event {
            // At rest nothing changes without an event.
        } else {
            clock.tickOnce()
        }
    }

    func call(
        _ method: MethodName, _ parameters: [JSONValue.Member] = [],
        _ receive: @escaping @Sendable (ControlLink.Reply) -> Void
    ) { link.call(method, parameters, receive: receive) }

    /// Asks for the whole state, which is more than an event says.
    func requestStatus() {
        call(.status) { [send] reply in if case .success(let status) = reply { send.yield(.status(status)) } }
    }
}
