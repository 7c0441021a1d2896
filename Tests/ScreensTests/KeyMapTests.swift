// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Screens

@Suite("Key file")
struct KeyMapTests {
    @Test("A line changes the action of a key")
    func assigned() {
        let (keys, problems) = KeyMap.parse("# my keys\n\nctrl-n down\nspace help\nf2 refresh\n")
        #expect(problems == [])
        #expect(keys.action(.control("n")) == .down)
        #expect(keys.action(.character(" ")) == .help)
        #expect(keys.action(.function(2)) == .refresh)
        #expect(keys.keyNames(.toggle) == [])
    }

    @Test("\"none\" removes a key")
    func removed() {
        #expect(KeyMap.parse("Q none").keys.action(.character("Q")) == nil)
    }

    @Test("An invalid line is ignored and reported")
    func wrong() {
        let (keys, problems) = KeyMap.parse("hyper-x down\nj dwon\nj\n")
        #expect(keys == KeyMap())
        #expect(
            problems == [
                "key file, line 1: there is no key \"hyper-x\"; a key is one character, enter, f1 or ctrl-a",
                "key file, line 2: there is no action \"dwon\"; the help (?) lists the actions",
                "key file, line 3: write a key and an action, such as \"j down\"",
            ])
    }

    @Test("Each action has a key, and each name of a key gives the key", arguments: ScreenAction.allCases)
    func complete(action: ScreenAction) {
        let names = KeyMap().keyNames(action)
        #expect(!names.isEmpty)
        for name in names { #expect(ScreenKey(named: name).flatMap { KeyMap().action($0) } == action) }
        #expect(action.help.hasSuffix("."))
    }

    @Test("docs/screen-keys.md lists each action with its keys", arguments: ScreenAction.allCases)
    func documented(action: ScreenAction) throws {
        let document = try #require(GoldenFile.read("../../../docs/screen-keys.md"))
        let keys = KeyMap().keyNames(action).map { "`\($0 == "\\" ? "backslash" : $0)`" }.joined(separator: " ")
        #expect(document.contains("| `\(action.rawValue)` | \(keys) | \(action.help) |"))
    }
}
