// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Screens

/// A driver that answers late, in another order, or twice, and keys without a plan.
private struct RandomDriver {
    var screen: Screen
    var library = SimulatedLibrary.sample
    var player: PlayerState?
    var random: SeededGenerator
    private var pending: [ScreenEvent] = []
    private var now = Duration.zero
    private var runs: Set<CommandRun.ID> = []
    private(set) var problems: [String] = []
    private(set) var departures = 0

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        screen = Self.newScreen
        send(.resized(ScreenSize(columns: 80, rows: 24)))
    }

    private static var newScreen: Screen {
        Screen(ScreenOptions(today: LocalDay(year: 2026, month: 11, day: 23), commands: Stage.commands))
    }

    static let keys: [ScreenKey] = {
        let assigned = ScreenAction.allCases.flatMap { KeyMap().keyNames($0).compactMap { ScreenKey(named: $0) } }
        let others: [ScreenKey] = [
            .escape, .escape, .escape, .enter, .enter, .tab, .backspace, .delete, .function(5), .control("w"),
        ]
        let text = "fog 雨ก\u{0301}é\"' \u{1F468}\u{200D}\u{1F373}"
        return assigned + others + text.map { ScreenKey.character($0) }
    }()

    mutating func step() {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<70: send(.key(Self.keys.randomElement(using: &random) ?? .enter))
        case 70..<85: deliver()
        case 85..<90: pass()
        case 90..<94: send(.mouse(mouse))
        case 94..<96: send(.resized(size))
        case 96: send(.libraryChanged)
        case 97: send(.download(DownloadState(Int64.random(in: 8...52, using: &random), state, fraction: fraction)))
        case 98: send(.failure("The server closed the connection \(Int.random(in: 0..<9, using: &random))."))
        default: send(.paste("https://example.org/\u{1B}[31m\n"))
        }
    }

    private var state: EpisodeRow.Download {
        mutating get { [.wanted, .partial, .complete, .failed].randomElement(using: &random) ?? .wanted }
    }

    private var fraction: Double? {
        mutating get { [nil, 0, 0.5, 1, 7, -1].randomElement(using: &random) ?? nil }
    }

    private var size: ScreenSize {
        mutating get {
            ScreenSize(columns: Int.random(in: 1...130, using: &random), rows: Int.random(in: 1...45, using: &random))
        }
    }

    private var mouse: MouseInput {
        mutating get {
            let actions: [MouseInput.Action] = [.press, .doublePress, .wheelUp, .wheelDown]
            let row = Int.random(in: 0...50, using: &random)
            return MouseInput(
                actions.randomElement(using: &random) ?? .press,
                at: CellPlace(row: row, column: Int.random(in: 0...140, using: &random)))
        }
    }

    private mutating func pass() {
        now += .milliseconds(Int.random(in: 1...3000, using: &random))
        send(.clock(now))
    }

    /// Delivers one of the pending answers; a late one may never arrive, or arrive twice.
    private mutating func deliver() {
        guard let index = pending.indices.randomElement(using: &random) else { return }
        let event = pending[index]
        if Int.random(in: 0..<10, using: &random) > 0 { pending.remove(at: index) }
        send(event)
    }

    private mutating func send(_ event: ScreenEvent) {
        let held = screen.held
        let effects = screen.handle(event)
        let hasReleased = !held.isEmpty && screen.held != held
        for effect in effects { perform(effect, after: event, hasReleased: hasReleased) }
        if pending.count > 40 { pending.removeFirst(20) }
    }

    private mutating func perform(_ effect: ScreenEffect, after event: ScreenEvent, hasReleased: Bool) {
        check(effect, after: event, hasReleased)
        switch effect {
        case .load(let query): pending.append(.answer(query, library.answer(query)))
        case .run(let run): pending.append(.command(run.id, library.run(run.arguments)))
        case .cover(let request): pending.append(.cover(request, .drawnByTerminal))
        case .player(let request): control(request)
        case .quit, .stopAndQuit:
            departures += 1
            (screen, pending, runs) = (Self.newScreen, [], [])
            for event in [ScreenEvent.clock(now), .resized(size), .player(player)] { send(event) }
        case .save, .wake, .suspend, .repaint: break
        }
    }

    /// Records effects that no driver could perform, and those that would move the playback position without a key.
    /// - Parameter hasReleased: true if keys that waited for the answer were handled.
    private mutating func check(_ effect: ScreenEffect, after event: ScreenEvent, _ hasReleased: Bool) {
        switch effect {
        case .load(.episodes(_, _, let count)): expect((1...3000).contains(count), "a page of \(count)")
        case .run(let run):
            expect(runs.insert(run.id).inserted && run.arguments.first?.isEmpty == false, "run \(run)")
        case .player(let request):
            switch event {
            case .key, .mouse: break
            case .answer where hasReleased, .resized where hasReleased: break
            default: problems.append("\(request) without a key")
            }
            if case .seek(to: let time) = request { expect(time >= .zero, "a seek to \(time)") }
        case .wake(at: let time?): expect(time > now && (player?.rate ?? 0) > 0, "a wake-up at \(time)")
        case .cover(let request): expect(request.columns > 0 && request.rows > 0, "an empty cover")
        case .load, .wake, .save, .suspend, .repaint, .quit, .stopAndQuit: break
        }
    }

    private mutating func expect(_ isTrue: Bool, _ text: String) { if !isTrue { problems.append(text) } }

    private mutating func control(_ request: PlayerRequest) {
        let isStill = player?.rate == 0
        switch request {
        case .play(let id, let start):
            player = PlayerState(.playing, item: .init(episode: id, title: "T\(id)"), position: start ?? .zero)
            player?.duration = Int.random(in: 0..<2, using: &random) == 0 ? .unknown : .exact(.seconds(3000))
            player?.rate = Double(Int.random(in: 0...2, using: &random))
        case .toggle: player?.rate = isStill ? 1 : 0
        case .stop: player = nil
        default:
            player?.activity = [.playing, .paused, .buffering, .connectionLost].randomElement(using: &random) ?? .idle
        }
        player?.at = now
        send(.player(player))
    }
}

@Suite("Random keys")
struct RandomKeyTests {
    /// A million keys in a long run, in parts so that each part stops at its first problem.
    @Test("Random keys, sizes and late answers never break the screen", arguments: 0..<LongTests.size(10, inFull: 500))
    func keys(seed: Int) {
        var driver = RandomDriver(seed: UInt64(seed))
        for index in 0..<2000 {
            driver.step()
            if index % 25 == 0 { Self.inspect(driver.screen) }
        }
        #expect(driver.problems == [])
        #expect(driver.screen.errors.sentences.count <= 200)
    }

    /// Draws the screen, and checks that the cells depend on the state alone.
    private static func inspect(_ screen: Screen) {
        let (new, again) = (screen.draw(screen.size, TerminalTraits()), screen.draw(screen.size, TerminalTraits()))
        #expect(new == again)
        #expect(new.cells.count == screen.size.columns * screen.size.rows)
        #expect(new.contains(new.cursor.row, new.cursor.column))
        for (index, cell) in new.cells.enumerated() {
            let isClean = cell.character.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
            let isWhole = cell.width != 2 || index + 1 < new.cells.count && new.cells[index + 1].width == 0
            if !isClean || !isWhole { Issue.record("cell \(index) is broken") }
        }
    }
}
