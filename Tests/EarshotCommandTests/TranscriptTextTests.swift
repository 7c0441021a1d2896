// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import Playback
import Testing

@testable import Sessions
@testable import TerminalInterface

@Suite("Text of transcripts")
struct TranscriptTextTests {
    private static let cue = HeardCue(
        item: 0,
        line: TranscriptLine(
            time: .milliseconds(754_500) ..< .seconds(757), speaker: "Mary", text: "The \u{1B}[31mstorm"),
        timing: .approximate)

    @Test(
        "--from is a time, or words that do not look like a time",
        arguments: [
            ("45:00", StartTarget.time(.time(.seconds(2700)))), ("75%", .time(.fraction(0.75))),
            ("1984", .time(.time(.seconds(1984)))), ("storm", .words("storm")), ("in 1984", .words("in 1984")),
            ("9 lives", .words("9 lives")), ("港の雨", .words("港の雨")),
        ])
    func start(text: String, expected: StartTarget) throws {
        #expect(try StartTarget(parsing: text) == expected)
    }

    @Test("A mistyped time is refused", arguments: ["", " ", "45:99", "12m", "-5", "150%", "1:2:3:4", "+30s", "..."])
    func noStart(text: String) {
        #expect(throws: ArgumentError.self) { try StartTarget(parsing: text) }
    }

    @Test("A heard cue is one line for people and one event for programs")
    func heard() {
        let line = ReportText.output("~12:34  Mary: The [31mstorm\n")
        var (plain, quiet, json) = (PlainReporter(style: LineStyle()), QuietReporter(), JSONReporter())
        #expect(plain.report(Self.cue) == [line] && quiet.report(Self.cue) == [line])
        let event =
            #"{"event":"cue","track":1,"start":754.5,"end":757.0,"speaker":"Mary","#
            + #""text":"The \u001b[31mstorm","timing":"approximate"}"#
        #expect(json.report(Self.cue) == [.output(event + "\n")])
        var drawn = StatusLineReporter(width: 80, style: LineStyle())
        _ = drawn.refresh(Statuses.playing, at: .zero)
        #expect(drawn.report(Self.cue) == [.error(RedrawnLine.clear), line])
        #expect(drawn.refresh(Statuses.playing, at: .zero).count == 1)
    }

    // MARK: A stored transcript

    private func stage() throws -> LibraryStage {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1, title: "Storm")], into: try stage.subscribe())
        let cues = [
            Transcript.Cue(time: .zero ..< .seconds(2), speaker: "Mary", text: "The storm came"),
            Transcript.Cue(time: .seconds(2) ..< .seconds(4), speaker: "Mary", text: "at night."),
            Transcript.Cue(time: .seconds(5) ..< .seconds(6), speaker: "John", text: "I slept."),
        ]
        try stage.library.store(
            Transcript(cues: cues, language: "en"), of: 1, from: "https://host.example/a.vtt?token=s3cret")
        return stage
    }

    @Test("A transcript is printed as paragraphs, and as one object without secrets")
    func printed() throws {
        let stage = try stage()
        let library = stage.library
        let stored = try #require(try library.transcript(of: 1))
        let text = TranscriptText(ListLayout()).plain(stored)
        #expect(text == [.output("0:00  Mary: The storm came at night.\n0:05  John: I slept.\n")])
        let object = try JSONDocument(parsing: TranscriptText.json(stored, of: library.episode(1)).output)
        #expect(
            object.keys == [
                "episode", "title", "url", "language", "stored", "version", "shift", "laterShifts", "timing", "cues",
            ])
        #expect(object["url"]?.text == "https://host.example/a.vtt?token=***" && object["timing"]?.text == "unverified")
        guard case .array(let cues) = object["cues"] else { return #expect(Bool(false), "no cues") }
        #expect(cues.map(\.keys) == Array(repeating: ["start", "end", "speaker", "text"], count: 3))
    }

    @Test("A search prints each episode once, with the times and sentences")
    func searched() throws {
        let hits = try stage().library.searchTranscripts("slept", limit: 9)
        let text = TranscriptText(ListLayout()).plain(hits + hits, query: "slept").output.split(separator: "\n")
        #expect(text.count == 3 && text[0].contains("Storm") && text[1] == "    0:05  John: I slept.")
        let object = try JSONDocument(parsing: TranscriptText.json(hits).output)
        #expect(object["start"]?.number == 5 && object["end"]?.number == 6 && object["speaker"]?.text == "John")
        #expect(object["sentence"]?.text == "I slept." && object["title"]?.text == "Storm")
    }

    @Test("A shift is reported with its direction")
    func shifted() throws {
        let episode = try stage().library.episode(1)
        let text = { (shift: Duration, start: Duration?) in
            [TranscriptText.shifted(episode, by: shift, from: start)].errors
        }
        #expect(text(.milliseconds(2500), nil) == "The transcript of episode 1 \"Storm\" is shifted by +0:02.5.\n")
        #expect(text(.seconds(-75), nil) == "The transcript of episode 1 \"Storm\" is shifted by -1:15.0.\n")
        #expect(text(.zero, nil) == "The transcript of episode 1 \"Storm\" is no longer shifted.\n")
        #expect(
            text(.seconds(60), .seconds(750))
                == "The transcript of episode 1 \"Storm\" is shifted by +1:00.0 from 12:30 on.\n")
        #expect(text(.zero, .seconds(750)) == "The transcript of episode 1 \"Storm\" is no longer shifted at 12:30.\n")
    }

    // MARK: While playing

    private func status(_ seconds: Double, item: PlaybackItem = Statuses.item) -> PlayerStatus {
        PlayerStatus(activity: .playing, item: item, position: .milliseconds(Int(seconds * 1000)))
    }

    private func display(isPaced: Bool = true) throws -> TranscriptDisplay {
        var display = TranscriptDisplay(isPaced: isPaced)
        display.show(try #require(try stage().library.transcript(of: 1)), in: 0)
        return display
    }

    @Test("Cues are shown from the start of the item's sound, at the speed of playback, and not during a seek")
    func shown() throws {
        var display = try display()
        #expect(display.heard(status(0.1), at: .zero).isEmpty)
        display.note(.itemStarted(Statuses.item), status(0))
        #expect(display.heard(status(0.1), at: .zero).map(\.line.text) == ["The storm came"])
        #expect(display.heard(status(2.1), at: .seconds(2)).map(\.line.text) == ["at night."])
        var seeking = status(5.5)
        seeking.isSeeking = true
        #expect(display.heard(seeking, at: .seconds(3)).isEmpty)
        display.note(.seekLanded(Statuses.item, at: .seconds(1), isEstimated: false, waited: .zero), status(0))
        #expect(display.heard(status(1), at: .seconds(4)).map(\.line.text) == ["The storm came"])
        // A late look at a high speed.
        var fast = status(5.1)
        fast.sound.speed = 3.5
        #expect(display.heard(fast, at: .seconds(5.2)).map(\.line.text) == ["at night.", "I slept."])
    }

    @Test("The time to the next cue counts at the speed of playback, while the position advances in real time")
    func nextCue() throws {
        var display = try display()
        #expect(display.timeToNextCue(status(0.5)) == nil)
        display.note(.itemStarted(Statuses.item), status(0))
        var fast = status(0.5)
        fast.sound.speed = 3
        #expect(display.timeToNextCue(status(0.5)) == .milliseconds(1500))
        #expect(display.timeToNextCue(fast) == .milliseconds(500))
        #expect(display.timeToNextCue(status(2)) == .seconds(3) && display.timeToNextCue(status(5)) == nil)
        fast.activity = .paused(waiting: false)
        #expect(display.timeToNextCue(fast) == nil)
        display = try self.display(isPaced: false)
        display.note(.itemStarted(Statuses.item), status(0))
        #expect(display.timeToNextCue(status(0.5)) == nil)
    }

    @Test("A repeated item shows its cues again after its new start, and a seek back into an ended item shows them")
    func repeated() throws {
        var display = try display()
        display.note(.itemStarted(Statuses.item), status(0))
        #expect(display.heard(status(5.5), at: .zero).map(\.line.text) == ["I slept."])
        display.note(.itemEnded(Statuses.item), status(0))
        #expect(display.heard(status(0), at: .seconds(1)).isEmpty)
        display.note(.itemStarted(Statuses.item), status(0))
        #expect(display.heard(status(0), at: .seconds(1)).map(\.line.text) == ["The storm came"])
        display.note(.itemEnded(Statuses.item), status(0))
        display.note(.seekLanded(Statuses.item, at: .seconds(2), isEstimated: false, waited: .zero), status(0))
        #expect(display.heard(status(2), at: .seconds(2)).map(\.line.text) == ["at night."])
    }

    @Test("A cue that starts shortly before the end of an item is shown at its end, and a cue after the end is not")
    func lastCue() throws {
        let until = { (end: Duration?) in
            PlaybackItem(id: 0, title: "Storm", podcast: nil, location: "x", end: end.map { .time($0) })
        }
        let cases: [(Duration?, MediaDuration, [String])] = [
            (nil, .exact(.seconds(6)), ["I slept."]), (nil, .estimated(.seconds(6)), []),
            (.milliseconds(5100), .estimated(.seconds(6)), ["I slept."]), (.seconds(5), .exact(.seconds(6)), []),
            (nil, .exact(.seconds(60)), []),
        ]
        for (end, duration, expected) in cases {
            var display = try display()
            let item = until(end)
            display.note(.itemStarted(item), status(0))
            var last = status(4.9, item: item)
            last.duration = duration
            _ = display.heard(last, at: .zero)
            let cues = display.ended(.itemEnded(item), last, at: .milliseconds(200))
            #expect(cues.map(\.line.text) == expected, "\(duration)")
            display.note(.itemEnded(item), status(0))
            #expect(display.ended(.itemEnded(item), last, at: .milliseconds(200)).isEmpty)
        }
    }

    @Test("An output that does not play in real time shows each cue from the start of the item or the target of a seek")
    func fast() throws {
        let cues = ["The storm came", "at night.", "I slept."]
        var display = try display(isPaced: false)
        display.note(.itemStarted(Statuses.item), status(0))
        #expect(display.heard(status(2.5), at: .zero).map(\.line.text) == ["The storm came", "at night."])
        #expect(display.heard(status(50), at: .zero).map(\.line.text) == ["I slept."])
        display.note(.seekLanded(Statuses.item, at: .seconds(2), isEstimated: false, waited: .zero), status(0))
        #expect(display.heard(status(50), at: .zero).map(\.line.text) == ["at night.", "I slept."])
        // An item that ends before the first look.
        var ended = status(60)
        ended.duration = .exact(.seconds(60))
        display = try self.display(isPaced: false)
        display.note(.itemStarted(Statuses.item), status(0))
        #expect(display.ended(.itemEnded(Statuses.item), ended, at: .zero).map(\.line.text) == cues)
    }

    @Test("An output that does not play in real time shows the cues of an introduction that is played")
    func introduction() throws {
        let item = PlaybackItem(
            id: 0, title: "Storm", podcast: nil, location: "x", start: .time(.seconds(5)), introduction: .seconds(5),
            isResumed: true)
        var started = status(5.5, item: item)
        var texts: [[String]] = []
        for duration in [Duration.seconds(9), .seconds(60)] {
            started.duration = .exact(duration)
            var display = try display(isPaced: false)
            display.note(.itemStarted(item), started)
            texts.append(display.heard(started, at: .zero).map(\.line.text))
        }
        #expect(texts == [["The storm came", "at night.", "I slept."], ["I slept."]])
    }

    @Test("After a change of the episode on the server, cues follow their words to the new version")
    func moved() throws {
        var display = try display()
        display.note(.itemStarted(Statuses.item), status(0))
        #expect(display.heard(status(1), at: .zero).map(\.line.text) == ["The storm came"])
        let times = VersionTimes([.init(old: .zero ..< .seconds(60), new: .seconds(30))])
        let change = VersionChange(oldLength: 9, newLength: 12, times: times)
        display.note(.versionChanged(Statuses.item, at: nil, .word, change), status(0))
        #expect(display.heard(status(31), at: .seconds(1)).map(\.line.text) == ["The storm came"])
        #expect(display.heard(status(32.1), at: .seconds(2)).map(\.line.text) == ["at night."])
        #expect(display.heard(status(35.1), at: .seconds(5)).map { $0.line.time?.lowerBound } == [.seconds(35)])
    }

    @Test("Times are approximate if the position is estimated, or after the episode changed on the server")
    func approximate() throws {
        var display = try display()
        display.note(.itemStarted(Statuses.item), status(0))
        #expect(display.heard(status(1), at: .zero).map(\.timing) == [.unverified])
        var estimated = status(2.5)
        estimated.positionIsEstimated = true
        #expect(display.heard(estimated, at: .seconds(1)).map(\.timing) == [.approximate])
        display.note(.versionChanged(Statuses.item, at: nil, .word, nil), status(0))
        #expect(display.heard(status(5.1), at: .seconds(4)).map(\.timing) == [.approximate])
    }
}
