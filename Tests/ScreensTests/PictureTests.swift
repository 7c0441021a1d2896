// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import TerminalInterface
import Testing

@testable import Screens

/// Recorded with `EARSHOT_RECORD_DUMPS=1 swift test --filter PictureTests`; look at the pictures before a commit.
@Suite("Pictures of README")
struct PictureTests {
    /// A picture, by the name of its files in docs/pictures.
    enum Subject: String, CaseIterable, Sendable {
        case statusLine = "status-line"
        case podcasts, playing

        var picture: TerminalPicture {
            switch self {
            case .statusLine: TerminalPicture(line: line, title: "The status line of earshot play")
            case .podcasts: TerminalPicture(grid { $0.press(.down) }, title: "The screen with podcasts and episodes")
            case .playing: TerminalPicture(grid { $0.type("6") }, title: "The screen with the episode that plays")
            }
        }

        private var line: String {
            let megabytes: Int64 = 1_000_000
            let status = PlayerStatus(
                activity: .playing,
                item: PlaybackItem(id: 0, title: "Rain on the old harbour", podcast: "Harbour Tales", location: "x"),
                itemNumber: 1, itemCount: 1, position: .seconds(1175), duration: .estimated(.seconds(3500)),
                buffered: [.zero ..< .seconds(2333), .seconds(2900) ..< .seconds(3100)],
                downloadProgress: DownloadProgress(
                    condition: .receiving, total: 56 * megabytes,
                    extents: ByteRangeSet([0..<37 * megabytes, 46 * megabytes..<50 * megabytes]),
                    bytesPerSecond: 1_240_000))
            return StatusLine.render(status, width: 110, style: LineStyle(colour: true))
        }

        private func grid(_ prepare: (inout Stage) -> Void) -> CellGrid {
            var stage = Stage(.harbour, columns: 110, rows: 28, isPlaying: true)
            prepare(&stage)
            return stage.grid
        }
    }

    @Test("Each picture equals the screen", arguments: Subject.allCases, TerminalPicture.Palette.allCases)
    func equal(_ subject: Subject, _ palette: TerminalPicture.Palette) throws {
        let path = GoldenFile.pictures + "\(subject.rawValue)-\(palette.rawValue).svg"
        let picture = subject.picture.svg(palette)
        if GoldenFile.isRecording { try GoldenFile.write(picture, at: path) }
        let recorded = try #require(GoldenFile.text(of: path), "\(path) does not exist")
        #expect(firstDifference(Array(picture.utf8), Array(recorded.utf8)) == nil)
    }

    @Test("README shows each picture for light and dark pages", arguments: Subject.allCases)
    func shown(_ subject: Subject) throws {
        let readme = try #require(GoldenFile.text(of: GoldenFile.pictures + "../../README.md"))
        let dark = "srcset=\"docs/pictures/\(subject.rawValue)-dark.svg\""
        #expect(readme.contains("<source media=\"(prefers-color-scheme: dark)\" \(dark)>"))
        #expect(readme.contains("src=\"docs/pictures/\(subject.rawValue)-light.svg\""))
    }

    @Test("Markup in a title is escaped, and each row has as many columns as the terminal")
    func escaped() {
        let picture = TerminalPicture(line: "a <b> & \u{1B}[31m\"c\"\u{1B}[0m d", title: "\"&")
        #expect(picture.rows.map(\.count) == [13])
        let svg = picture.svg(.light)
        #expect(svg.contains(">a &lt;b> &amp; </text>") && svg.contains(">&quot;c&quot;</text>"))
        #expect(svg.contains("aria-label=\"&quot;&amp;\"") && svg.contains("fill=\"#cf222e\""))
    }
}
