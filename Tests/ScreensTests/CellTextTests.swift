// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Screens

@Suite("Text of cells")
struct CellTextTests {
    @Test("Control characters, escape sequences and marks of direction are left out")
    func clean() {
        let text = CellText("a\u{1B}[31mb\u{07}\u{202E}c\nd\u{9B}e", TerminalTraits())
        #expect(String(text.clusters.map(\.character)) == "a[31mbc de")
    }

    @Test("A cut text fits each width", arguments: SimulatedLibrary.difficultTitles)
    func cut(title: String) {
        for width in 0...40 {
            let traits = TerminalTraits()
            let cut = CellText(title, traits).cut(to: width, traits)
            #expect(cut.columns <= width)
            #expect(cut.columns == cut.clusters.reduce(0) { $0 + $1.columns })
        }
    }

    @Test("Lines of wrapped text fit each width", arguments: SimulatedLibrary.difficultTitles)
    func wrapped(title: String) {
        for width in [8, 20, 79] {
            #expect(WrappedText.lines(title, width: width).allSatisfy { $0.terminalColumns <= width })
        }
    }

    @Test("The widths of the terminal decide, within 0 to 2")
    func widths() {
        let traits = TerminalTraits { $0 == "雨" ? 9 : $0 == "é" ? -1 : 1 }
        let text = CellText("雨éa", traits)
        #expect(text.clusters.map(\.columns) == [2, 1])
    }

    @Test("Each letter of a wide syllable has its own cell")
    func syllables() {
        let text = CellText("क्षि", TerminalTraits())
        #expect(text.clusters.map(\.columns) == [1, 1, 1])
        #expect(String(text.clusters.map(\.character)) == "क्षि")
    }

    @Test("A locale without UTF-8 gets ASCII")
    func ascii() {
        let text = CellText("港 é a", TerminalTraits(isUnicode: false))
        #expect(text.clusters.allSatisfy { $0.character.isASCII })
    }
}
