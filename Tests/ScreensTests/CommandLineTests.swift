// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Screens

@Suite("Command line of the screen")
struct CommandLineTests {
    @Test(
        "Quotes and backslashes keep spaces",
        arguments: [
            ("mark played 12", ["mark", "played", "12"]), ("search \"rain on\" x", ["search", "rain on", "x"]),
            ("a 'b \\ c'", ["a", "b \\ c"]), ("a\\ b", ["a b"]), ("a ''", ["a", ""]), ("  ", []),
        ])
    func words(line: String, arguments: [String]) {
        #expect(CommandWords.arguments(line) == arguments)
    }

    @Test("A quote that is not closed is an error", arguments: ["a \"b", "a 'b", "a\\"])
    func open(line: String) {
        #expect(CommandWords.arguments(line) == nil)
        var stage = Stage()
        stage.type(":" + line)
        stage.press(.enter)
        #expect(stage.screen.errors.sentences.first?.hasPrefix("A quote is not closed") == true)
    }

    @Test("Tab completes a command, then its options")
    func completion() {
        var stage = Stage()
        stage.type(":ref")
        stage.press(.tab)
        #expect(stage.screen.typing?.editor.text == "refresh ")
        stage.type("--a")
        stage.press(.tab, .enter)
        #expect(stage.effects.contains(.run(CommandRun(id: 1, arguments: ["refresh", "--all"]))))
    }

    @Test("Tab shows several completions and goes through them")
    func several() {
        var stage = Stage()
        stage.type(":queue")
        stage.press(.tab)
        #expect(stage.screen.typing?.editor.text == "queue ")
        #expect(stage.grid.line(22).contains("queue next"))
        let found = (0..<3).map { _ in
            stage.press(.tab)
            return stage.screen.typing?.editor.text
        }
        #expect(found == ["queue add", "queue next", "queue add"])
    }

    @Test("The output of a command keeps the spaces that align its columns, and breaks long lines at words")
    func aligned() {
        var stage = Stage()
        stage.type(":stats")
        stage.press(.enter)
        #expect(stage.grid.line(2).hasPrefix(" heard  saved by pauses  podcast"))
        #expect(stage.grid.line(3).hasPrefix("  2:02            0:00  Harbour Tales \u{1F468}\u{200D}\u{1F373}"))
        let lines = WrappedText.aligned("  two  words\u{1B}[2J of a line", width: 12)
        #expect(lines == ["  two ", "words[2J of", "a line"])
        #expect(WrappedText.aligned("日本語の番組", width: 5) == ["日本", "語の", "番組"])
        #expect(WrappedText.aligned("", width: 5) == [""])
    }

    @Test("An unknown command is an error, and runs nothing")
    func unknown() {
        var stage = Stage()
        stage.type(":frobnicate")
        stage.press(.enter)
        #expect(stage.screen.errors.sentences == ["There is no command \"frobnicate\"; Tab completes the commands."])
        #expect(!stage.effects.contains { if case .run = $0 { true } else { false } })
    }

    @Test("Up recalls earlier lines, and down returns")
    func history() {
        var stage = Stage()
        for line in ["undo", "pause"] {
            stage.type(":" + line)
            stage.press(.enter)
        }
        stage.type(":")
        stage.press(.up, .up)
        #expect(stage.screen.typing?.editor.text == "undo")
        stage.press(.down)
        #expect(stage.screen.typing?.editor.text == "pause")
    }

    @Test("Output of several lines opens the reader; Esc closes it")
    func output() {
        var stage = Stage()
        stage.type(":why 12")
        stage.press(.enter)
        #expect(stage.screen.reader?.lines.map(\.text) == ["It is in the feed.", "It is not downloaded."])
        stage.press(.escape)
        #expect(stage.screen.reader == nil)
    }
}
