// SPDX-License-Identifier: GPL-3.0-or-later
import Screens
import Testing

@testable import FullScreen
@testable import TerminalInterface

@Suite("Input of the screen")
struct ScreenInputTests {
    private static func mouse(_ text: String) -> KeyDecoder.Key? {
        var decoder = KeyDecoder()
        return decoder.decode(text.utf8).first
    }

    private static func actions(_ presses: [(String, Duration)]) -> [MouseInput.Action] {
        var keys = ScreenKeys()
        return presses.flatMap { text, time in
            (mouse(text).map { keys.events(of: $0, at: time) } ?? []).compactMap { event in
                if case .mouse(let input) = event { input.action } else { nil }
            }
        }
    }

    @Test("A second press on a cell within 400 ms is a double press")
    func doublePress() {
        let press = "\u{1B}[<0;5;3M"
        #expect(Self.actions([(press, .zero), (press, .milliseconds(400))]) == [.press, .press, .doublePress])
        #expect(Self.actions([(press, .zero), (press, .milliseconds(401))]) == [.press, .press])
        #expect(Self.actions([(press, .zero), ("\u{1B}[<0;6;3M", .milliseconds(9))]) == [.press, .press])
        let thrice = Array(repeating: (press, Duration.zero), count: 3)
        #expect(Self.actions(thrice) == [.press, .press, .doublePress, .press])
    }

    @Test("The wheel scrolls, and releases and other buttons do nothing")
    func wheel() {
        let inputs = ["\u{1B}[<64;1;1M", "\u{1B}[<65;1;1M", "\u{1B}[<0;1;1m", "\u{1B}[<2;1;1M"]
        #expect(Self.actions(inputs.map { ($0, .zero) }) == [.wheelUp, .wheelDown])
    }

    @Test("Cells are counted from 0")
    func places() {
        #expect(Self.mouse("\u{1B}[<0;1;1M") == .mouse(KeyDecoder.Mouse(action: .press, row: 0, column: 0)))
        #expect(Self.mouse("\u{1B}[<0;300;200M") == .mouse(KeyDecoder.Mouse(action: .press, row: 199, column: 299)))
        #expect(Self.mouse("\u{1B}[<0;0;1M") == nil)
    }

    @Test(
        "Keys of the terminal are keys of the screen",
        arguments: [
            ("é", .character("é")), ("日", .character("日")), ("\r", .enter), ("\u{C}", .control("l")), ("\t", .tab),
            ("\u{1B}[Z", .backTab), ("\u{7F}", .backspace), ("\u{1B}[3~", .delete), ("\u{1B}[5~", .pageUp),
            ("\u{1B}[H", .home), ("\u{1B}[4~", .end), ("\u{1B}OP", .function(1)), ("\u{1B}[15~", .function(5)),
            ("\u{3}", .control("c")),
        ] as [(String, ScreenKey)])
    func keys(bytes: String, key: ScreenKey) throws {
        var decoder = KeyDecoder()
        let decoded = try #require(decoder.decode(bytes.utf8).first)
        #expect(ScreenKey(decoded) == key)
    }
}
