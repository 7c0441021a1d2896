// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Screens

@Suite("Keys that are typed before the rows appear")
struct TypeAheadSpecifications {
    private var stage = Stage()
    private let query: LibraryQuery

    /// The view of new episodes, which waits for its first rows.
    init() throws {
        let queries = stage.effects(of: .key(.character("3"))).compactMap { effect in
            if case .load(let query) = effect, case .episodes(EpisodeList(.new), _, _) = query { query } else { nil }
        }
        query = try #require(queries.first)
    }

    private static func runs(_ effects: [ScreenEffect]) -> [[String]] {
        effects.compactMap { if case .run(let run) = $0 { run.arguments } else { nil } }
    }

    @Test("They act on the rows once they appear, in their order")
    mutating func order() {
        #expect(stage.effects(of: .key(.down)) == [])
        #expect(stage.effects(of: .key(.character("m"))) == [])
        let effects = stage.effects(of: .answer(query, stage.library.answer(query)))
        #expect(Self.runs(effects) == [["mark", "played", "11"]])
        #expect(stage.screen.held.isEmpty)
    }

    @Test("Leaving waits for them, but not the second time")
    mutating func leaving() {
        #expect(stage.effects(of: .key(.character("m"))) == [])
        #expect(stage.effects(of: .key(.character("q"))) == [])
        var late = stage
        #expect(late.effects(of: .key(.character("q"))) == [.quit("")])
        let effects = stage.effects(of: .answer(query, stage.library.answer(query)))
        #expect(Self.runs(effects) == [["mark", "played", "10"]])
        let done = CommandState.ended(status: 0, output: [], errors: [])
        #expect(stage.effects(of: .command(1, done)) == [.quit("")])
    }

    @Test("A failed query releases them")
    mutating func failure() {
        #expect(stage.effects(of: .key(.character("m"))) == [])
        #expect(Self.runs(stage.effects(of: .answer(query, .failure("the disk is broken")))) == [])
        #expect(stage.screen.held.isEmpty)
        #expect(stage.screen.errors.sentences == ["the disk is broken"])
    }

    @Test("Keys for other things do not wait")
    mutating func others() {
        _ = stage.effects(of: .key(.character("4")))
        #expect(stage.screen.tab == .downloads)
    }

    @Test("A key after a new filter acts on a row of that filter")
    mutating func filter() {
        stage.send(.answer(query, stage.library.answer(query)))
        var asked: [ScreenEffect] = []
        for key in "/fog" { asked += stage.effects(of: .key(.character(key))) }
        _ = stage.effects(of: .key(.enter))
        #expect(stage.effects(of: .key(.character("m"))) == [])
        var effects: [ScreenEffect] = []
        for case .load(let query) in asked {
            effects += stage.effects(of: .answer(query, stage.library.answer(query)))
        }
        let marked = stage.library.episodes.first { "\($0.id)" == Self.runs(effects).first?.last }
        #expect(marked?.title.contains("Fog") == true)
        #expect(Self.runs(effects).count == 1)
    }
}
