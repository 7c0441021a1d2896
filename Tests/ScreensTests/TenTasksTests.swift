// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import Screens

/// Ten tasks of a listener by keys alone, with the keys that newsboat (with podboat and mpv) and castero need with
/// their standard keys. Typed text does not count. `nil`: the program cannot do it.
@Suite("Ten tasks by keys")
struct TenTasksTests {
    struct Task: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var keys: [ScreenKey]
        /// The text typed before the last key.
        var text = ""
        var newsboat: Int?
        var castero: Int?
        var effect: ScreenEffect
    }

    static let tasks = [
        Task(
            testDescription: "subscribe by the URL of a feed", keys: [.character("s"), .enter],
            text: "https://example.org/feed.xml", newsboat: 8, castero: 2,
            effect: run("subscribe", "https://example.org/feed.xml")),
        Task(
            testDescription: "subscribe by the URL of a page", keys: [.character("s"), .enter],
            text: "https://example.org/",
            newsboat: nil, castero: nil, effect: run("subscribe", "https://example.org/")),
        Task(
            testDescription: "refresh", keys: [.character("R")], newsboat: 1, castero: 1, effect: run("refresh")),
        Task(
            testDescription: "play the newest episode", keys: [.character("3"), .enter], newsboat: 3, castero: 2,
            effect: .player(.play(10, from: nil))),
        Task(
            testDescription: "resume after a crash", keys: [.character(" ")], newsboat: 3, castero: 2,
            effect: .player(.toggle)),
        Task(
            testDescription: "play faster with unchanged pitch", keys: [.character("]")], newsboat: 1, castero: 1,
            effect: .player(.speed("+0.05"))),
        Task(
            testDescription: "set a sleep timer", keys: [.character("z")], newsboat: nil, castero: nil,
            effect: .player(.cycleSleep)),
        Task(
            testDescription: "go to the next chapter", keys: [.character("c")], newsboat: 1, castero: nil,
            effect: .player(.seek(to: .seconds(1295)))),
        Task(
            testDescription: "seek into a part that is not downloaded", keys: [.right], newsboat: 1, castero: 1,
            effect: .player(.skip(by: .seconds(30)))),
        Task(
            testDescription: "undo the last change", keys: [.character("u")], newsboat: nil, castero: nil,
            effect: run("undo")),
    ]

    private static func run(_ arguments: String...) -> ScreenEffect { .run(CommandRun(id: 1, arguments: arguments)) }

    @Test("A task needs no more keys than in other programs", arguments: tasks)
    func keys(task: Task) {
        var stage = Stage(isPlaying: true)
        for key in task.keys.dropLast() { stage.press(key) }
        stage.type(task.text)
        for key in task.keys.suffix(1) { stage.press(key) }
        #expect(stage.effects.contains(task.effect))
        for other in [task.newsboat, task.castero] { #expect(task.keys.count <= other ?? .max) }
    }
}
