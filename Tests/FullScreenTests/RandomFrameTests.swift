// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import FullScreen
@testable import Screens

/// A screen on a simulated terminal, with a library of difficult titles and keys without a plan.
private struct RandomTerminal {
    private static let titles = [
        "The storm", "日本語のとても長い題名の番組です", "العربية: مرحبا بكم", "हिन्दी में क्षितिज की कहानी", "น้ำขึ้น ก็ดี",
        "❤️ 1️⃣ 👍🏽 👨‍👩‍👧‍👦 🏳️‍🌈 🇫🇷 end", "\u{1B}[2Jescape", "",
    ]
    private static let keys: [ScreenKey] =
        "jkgGhl12345678 acmuxJKdnoNtw?:/<>+-[]".map { ScreenKey.character($0) }
        + [.enter, .escape, .escape, .tab, .up, .down, .left, .right, .pageDown, .backspace]

    let drawing: TerminalModel.Drawing
    var random: SeededGenerator
    var screen = Screen(ScreenOptions(today: LocalDay(year: 2026, month: 11, day: 23)))
    private(set) var terminal = TerminalModel(columns: 80, rows: 24)
    private var writer = Self.newWriter
    private var now = Duration.zero

    init(_ drawing: TerminalModel.Drawing, seed: UInt64) {
        (self.drawing, random) = (drawing, SeededGenerator(seed: seed))
        resize(80, 24)
    }

    private static var newWriter: CellWriter { CellWriter(isUnicode: true, hasColours: true) }

    private static let traits = TerminalTraits { ClusterWidths().columns(of: $0) }

    private mutating func resize(_ columns: Int, _ rows: Int) {
        // As the driver does: a terminal may lose its contents and end with the same size.
        writer.forget()
        terminal = TerminalModel(columns: columns, rows: rows, drawing: drawing)
        send(.resized(ScreenSize(columns: columns, rows: rows)))
    }

    /// Sends an input, and draws the differences.
    mutating func step() {
        switch Int.random(in: 0..<20, using: &random) {
        case 0: resize(Int.random(in: 1...130, using: &random), Int.random(in: 1...45, using: &random))
        case 1:
            now += .seconds(1)
            send(.clock(now))
        case 2: send(.failure("the server \(Int.random(in: 0..<9, using: &random)) closed the connection"))
        default: send(.key(Self.keys.randomElement(using: &random) ?? .enter))
        }
        terminal.apply(writer.draw(screen.draw(screen.size, Self.traits)))
    }

    /// The terminal after every cell is drawn.
    var redrawn: TerminalModel {
        var terminal = TerminalModel(columns: screen.size.columns, rows: screen.size.rows, drawing: drawing)
        var writer = Self.newWriter
        terminal.apply(writer.draw(screen.draw(screen.size, Self.traits)))
        return terminal
    }

    private mutating func send(_ event: ScreenEvent) {
        for effect in screen.handle(event) {
            switch effect {
            case .load(let query): send(.answer(query, answer(query)))
            case .run(let run): send(.command(run.id, .ended(status: 0, output: ["Done."], errors: [])))
            case .player(.play(let id, _)), .player(.playInQueue(let id)): play(id)
            case .quit, .stopAndQuit:
                screen = Screen(ScreenOptions(today: LocalDay(year: 2026, month: 11, day: 23)))
                send(.resized(ScreenSize(columns: terminal.columns, rows: terminal.rows)))
            default: break
            }
        }
    }

    private mutating func play(_ id: Int64) {
        var player = PlayerState(.playing, item: .init(episode: id, title: Self.title(id)), position: .zero)
        (player.rate, player.at, player.duration) = (1, now, .exact(.seconds(3000)))
        send(.player(player))
    }

    private static func title(_ id: Int64) -> String { titles[Int(id) % titles.count] }

    private func answer(_ query: LibraryQuery) -> LibraryAnswer {
        switch query {
        case .podcasts: .podcasts((1...8).map { PodcastRow(id: $0, title: Self.title($0), unplayed: Int($0)) })
        case .episodes:
            .episodes(EpisodePage((1...60).map { EpisodeRow(id: $0, title: Self.title($0)) }, total: 60))
        case .details: .details(EpisodeDetails(notes: Self.titles))
        case .transcript: .transcript([TranscriptRow(start: .zero, speaker: nil, text: Self.titles[3])])
        case .counts: .counts(LibraryCounts(queued: 3, queueTime: .seconds(60), new: 12))
        case .settings: .settings([SettingRow(name: "speed", value: "1", meaning: "how fast episodes are played")])
        }
    }
}

@Suite("Random keys on a terminal")
struct RandomFrameTests {
    @Test(
        "After any inputs, the terminal shows what a redraw of every cell shows",
        arguments: TerminalModel.Drawing.allCases, 0..<LongTests.size(3, inFull: 40))
    func redrawn(drawing: TerminalModel.Drawing, seed: Int) {
        var random = RandomTerminal(drawing, seed: UInt64(seed))
        for index in 0..<400 {
            random.step()
            guard index % 5 == 0 else { continue }
            let redrawn = random.redrawn
            guard random.terminal.cells == redrawn.cells else {
                let place = zip(random.terminal.cells, redrawn.cells).enumerated().first {
                    $0.element.0 != $0.element.1
                }
                Issue.record("step \(index): \(String(describing: place)) at \(random.screen.size)")
                return
            }
            #expect(random.terminal.unknown == [])
        }
    }
}
