// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Screens

/// Recorded with `EARSHOT_RECORD_DUMPS=1 swift test --filter GoldenScreenTests`; review a difference like code.
@Suite("Golden screens")
struct GoldenScreenTests {
    static let sizes = [(20, 5), (60, 15), (80, 24), (120, 40), (200, 60)].map { ScreenSize(columns: $0.0, rows: $0.1) }

    enum View: String, CaseIterable, Sendable {
        case queue, podcasts, episodes, new, downloads, find, playing, settings, errors, notes, transcript, help, filter
        case command, nothing
    }

    @Test("Each view at each size is the recorded screen", arguments: View.allCases, sizes)
    func matches(_ view: View, _ size: ScreenSize) throws {
        let name = "\(view.rawValue)-\(size.columns)x\(size.rows).txt"
        let grid = Self.stage(view, size).grid
        let text = grid.text + "cursor \(grid.cursor.row), \(grid.cursor.column)\n"
        if GoldenFile.isRecording { try GoldenFile.write(text, to: name) }
        let recorded = try #require(GoldenFile.read(name), "no screen recorded for \(name)")
        #expect(text == recorded)
    }

    @Test("Each view is drawn in ASCII without colours", arguments: View.allCases, sizes)
    func ascii(_ view: View, _ size: ScreenSize) {
        let grid = Self.stage(view, size).screen.draw(size, TerminalTraits(isUnicode: false, hasColours: false))
        #expect(grid.cells.allSatisfy { $0.character.isASCII && $0.width == 1 })
        #expect(grid.cells.allSatisfy { $0.style.foreground == nil && $0.style.background == nil })
    }

    @Test("No cell has a control character, and each wide cell covers the next one", arguments: View.allCases, sizes)
    func clean(_ view: View, _ size: ScreenSize) {
        let grid = Self.stage(view, size).grid
        for (index, cell) in grid.cells.enumerated() {
            let scalars = cell.character.unicodeScalars
            #expect(scalars.allSatisfy { $0.properties.generalCategory != .control && $0.value != 0x202E })
            if cell.width == 2 { #expect(grid.cells[index + 1].width == 0) }
            if cell.width == 0 { #expect(grid.cells[index - 1].width == 2) }
        }
    }

    @Test("A terminal that draws every cluster in one column gets aligned borders, too", arguments: View.allCases)
    func narrowClusters(_ view: View) {
        let size = Self.sizes[2]
        let screen = Self.stage(view, size).screen
        let traits = TerminalTraits { _ in 1 }
        let (wide, narrow) = (screen.draw(size, TerminalTraits()), screen.draw(size, traits))
        for row in 0..<size.rows {
            for column in 0..<size.columns where wide[row, column].character == "│" {
                #expect(narrow[row, column].character == "│")
            }
        }
    }

    @Test("The podcasts of a list begin in the same column in each row, with and without a note")
    func podcastColumn() {
        let grid = Self.stage(.new, Self.sizes[2]).grid
        let names = ["Harbour Tales", "Radio Kitchen", "Harvard Bridge"].map { Array($0) }
        var columns: [Int] = []
        for row in 2..<12 {
            for name in names {
                columns += (0..<80 - name.count).filter { column in
                    name.indices.allSatisfy { grid[row, column + $0].character == name[$0] }
                }
            }
        }
        #expect(columns.count > 4 && Set(columns).count == 1, "\(columns)")
    }

    static func stage(_ view: View, _ size: ScreenSize) -> Stage {
        var stage = Stage(columns: size.columns, rows: size.rows, isPlaying: view != .nothing)
        switch view {
        case .queue: stage.type("1j")
        case .podcasts: stage.type("jj")
        case .episodes: stage.press(.enter, .down, .down)
        case .new: stage.type("3jjj")
        case .downloads:
            stage.send(.download(DownloadState(11, .partial, fraction: 0.61, bytesPerSecond: 900_000)))
            stage.type("4j")
        case .find: stage.type("5fog")
        case .playing: stage.type("6j")
        case .settings: stage.type("7j")
        case .errors:
            stage.send(.failure("earshot cannot reach example.org: the host name is unknown"))
            stage.send(.failure("第1回：港の雨: the server answered 404 Not Found, and \u{1B}[2J stays"))
            stage.type("8")
        case .notes: stage.type("6o")
        case .transcript: stage.type("3tjj")
        case .help: stage.type("3?")
        case .filter: stage.type("3/fog")
        case .command:
            stage.type(":queue")
            stage.press(.tab)
        case .nothing: break
        }
        return stage
    }
}
