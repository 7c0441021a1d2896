// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import Testing

@testable import TerminalInterface

@Suite("StatusLine")
struct StatusLineTests {
    @Test func dump() {
        for status in [Statuses.playing, Statuses.buffering, Statuses.complete, Statuses.wide, Statuses.loading] {
            for width in [120, 80, 60, 40, 20] {
                print("\(width) [\(StatusLine.render(status, width: width, style: LineStyle()))]")
            }
            print("a  [\(StatusLine.render(status, width: 80, style: LineStyle(glyphs: .ascii, colour: false)))]")
        }
    }
}
