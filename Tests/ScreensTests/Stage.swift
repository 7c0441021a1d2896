// SPDX-License-Identifier: GPL-3.0-or-later
import Media

@testable import Screens

/// The screen with a simulated driver, library and player; time passes only when a test says so.
struct Stage {
    var screen: Screen
    var library: SimulatedLibrary
    var player: PlayerState?
    /// All effects so far.
    private(set) var effects: [ScreenEffect] = []
    private(set) var time = Duration.zero

    static let commands = [
        CommandWord("subscribe", help: "Subscribe to podcasts."),
        CommandWord("refresh", options: ["--all", "--quiet"]),
        CommandWord("queue"), CommandWord("queue add"), CommandWord("queue next"), CommandWord("mark"),
        CommandWord("undo"), CommandWord("why"), CommandWord("download"), CommandWord("remove"),
        CommandWord("bookmark"), CommandWord("settings"), CommandWord("fail"), CommandWord("unsubscribe"),
        CommandWord("play"), CommandWord("pause"), CommandWord("stats"),
    ]

    static let options = ScreenOptions(today: LocalDay(year: 2026, month: 11, day: 23), commands: commands)

    init(
        _ library: SimulatedLibrary = .sample, columns: Int = 80, rows: Int = 24, isPlaying: Bool = false,
        options: ScreenOptions = Self.options
    ) {
        screen = Screen(options)
        self.library = library
        send(.resized(ScreenSize(columns: columns, rows: rows)))
        if isPlaying { play(12, from: .seconds(1175)) }
    }

    var grid: CellGrid { screen.draw(screen.size, TerminalTraits()) }

    var text: String { grid.text }

    /// Sends an event, and answers the effects until there are no more.
    mutating func send(_ event: ScreenEvent) {
        var events = [event]
        while !events.isEmpty {
            let new = screen.handle(events.removeFirst())
            effects += new
            for effect in new { events += answers(effect) }
        }
    }

    mutating func press(_ keys: ScreenKey...) { for key in keys { send(.key(key)) } }

    mutating func type(_ text: String) { for character in text { send(.key(.character(character))) } }

    /// Sends an event.
    /// - Returns: its own effects, without answers to them.
    mutating func effects(of event: ScreenEvent) -> [ScreenEffect] { screen.handle(event) }

    mutating func pass(_ duration: Duration) {
        time += duration
        send(.clock(time))
    }

    mutating func play(_ id: Int64, from position: Duration?) {
        let row = library.episodes.first { $0.id == id }
        var state = PlayerState(
            .playing, item: .init(episode: id, title: row?.title ?? "", podcast: row?.podcastTitle),
            position: position ?? .zero,
            duration: .estimated(row?.duration ?? .seconds(3500)))
        (state.rate, state.at, state.buffered) = (1, time, [.zero ..< .seconds(2000)])
        (state.bytesPerSecond, state.bytesLeft, state.volumePercent, state.canNext) = (1_200_000, 15_000_000, 80, true)
        let following = library.queue.first { $0 != id }.flatMap { next in library.episodes.first { $0.id == next } }
        state.next = following.map { .init(episode: $0.id, title: $0.title, podcast: $0.podcastTitle) }
        player = state
        send(.player(state))
    }

    private mutating func answers(_ effect: ScreenEffect) -> [ScreenEvent] {
        switch effect {
        case .load(let query): return [.answer(query, library.answer(query))]
        case .run(let run): return [.command(run.id, library.run(run.arguments)), .libraryChanged]
        case .player(let request): return control(request)
        case .cover(let request):
            return [
                .cover(
                    request,
                    .cells(Array(repeating: Array(repeating: Cell("#"), count: request.columns), count: request.rows)))
            ]
        case .save, .wake, .suspend, .repaint, .quit, .stopAndQuit: return []
        }
    }

    private mutating func control(_ request: PlayerRequest) -> [ScreenEvent] {
        let position = screen.position ?? .zero
        switch request {
        case .play(let id, let start):
            play(id, from: start)
            return []
        case .playInQueue(let id):
            play(id, from: nil)
            return []
        case .toggle:
            let isPlaying = player?.activity == .playing
            player?.activity = isPlaying ? .paused : .playing
            player?.rate = isPlaying ? 0 : 1
            player?.position = position
        case .skip(by: let step): player?.position = max(.zero, position + step)
        case .seek(to: let target): player?.position = target
        case .speed(let text): player?.speed += text.hasPrefix("-") ? -0.05 : 0.05
        case .cycleSleep: player?.sleepsAt = time + .seconds(1800)
        case .volume(let step): player?.volumePercent += step
        case .cycleRepeat: player?.repeatMode = "one"
        case .next, .previous, .retry, .bookmark: break
        case .stop: player = nil
        }
        player?.at = time
        return [.player(player)]
    }
}

extension CellGrid {
    /// The characters of the grid, one line for each row, without the spaces at their ends.
    var text: String {
        (0..<size.rows).map { row in
            let line = (0..<size.columns).map { self[row, $0] }.filter { $0.width > 0 }.map(\.character)
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }

    /// The text of a row.
    func line(_ row: Int) -> String {
        String((0..<size.columns).map { self[row, $0] }.filter { $0.width > 0 }.map(\.character))
    }
}
