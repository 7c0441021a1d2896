// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import Testing

@testable import TerminalInterface

@Suite("JSON lines")
struct JSONTests {
    @Test(
        "Strings are escaped according to RFC 8259 and contain no terminal control characters",
        arguments: [
            (#"a"b\c"#, #""a\"b\\c""#), ("\n\r\t\u{1B}", #""\n\r\t\u001b""#),
            ("\u{7F}\u{9B}\u{2028}", #""\u007f\u009b\u2028""#),
            ("é 日 🎧", "\"é 日 🎧\""), ("", "\"\""), ("\u{0}", #""\u0000""#), ("a/b", "\"a/b\""),
        ])
    func escaping(raw: String, expected: String) {
        #expect(JSONValue.string(raw).description == expected)
    }

    @Test(
        "Seconds are decimal numbers with microsecond precision",
        arguments: [
            (Duration.seconds(12), "12.0"), (.milliseconds(12_500), "12.5"), (.milliseconds(-250), "-0.25"),
            (.microseconds(1), "0.000001"), (.nanoseconds(1), "0.0"), (.milliseconds(-1500), "-1.5"),
            (.seconds(3_723), "3723.0"), (.microseconds(1_050_000), "1.05"),
        ])
    func seconds(time: Duration, expected: String) {
        #expect(JSONValue.seconds(time).description == expected)
    }

    @Test("A document is one line")
    func document() {
        let value = JSONValue.object([
            .init("a", .array([.null, .bool(true), .integer(-1)])), .init("b", .object([])),
        ])
        #expect(value.description == #"{"a":[null,true,-1],"b":{}}"#)
    }

    static let events: [(PlayerEvent, [String])] = [
        (
            .activityChanged(.playing),
            [#"{"event":"state","state":"playing","percent":null,"wait":null,"waiting":false,"reason":null}"#]
        ),
        (
            .activityChanged(.buffering),
            [#"{"event":"state","state":"buffering","percent":null,"wait":null,"waiting":true,"reason":null}"#]
        ),
        (
            .activityChanged(.paused(waiting: true)),
            [#"{"event":"state","state":"paused","percent":null,"wait":null,"waiting":true,"reason":null}"#]
        ),
        (
            .activityChanged(.noDevice(reason: "gone")),
            [#"{"event":"state","state":"noDevice","percent":null,"wait":null,"waiting":false,"reason":"gone"}"#]
        ),
        (
            .itemStarted(Statuses.item),
            [
                #"{"event":"track","phase":"begin","track":1,"count":1,"title":"Rain on the old harbour","#
                    + #""podcast":"The Weather Letters","location":"http://example.net/rain.mp3"}"#
            ]
        ),
        (
            .stallBegan(Statuses.item, at: .milliseconds(12_500)),
            [#"{"event":"stall","phase":"begin","track":1,"position":12.5,"lasted":null}"#]
        ),
        (
            .stallEnded(Statuses.item, lasted: .milliseconds(800)),
            [#"{"event":"stall","phase":"end","track":1,"position":1175.0,"lasted":0.8}"#]
        ),
        (
            .alternativePlayed(Statuses.item, MediaFailure(.badData, "xHE-AAC")),
            [#"{"event":"alternative","track":1,"reason":"xHE-AAC"}"#]
        ),
        (
            .damageSkipped(Statuses.item, MediaFailure(.badData, "damaged")),
            [#"{"event":"damage","track":1,"reason":"damaged"}"#]
        ),
        (
            .seekLanded(Statuses.item, at: .seconds(90), isEstimated: true, waited: .milliseconds(120)),
            [
                #"{"event":"seek","phase":"landed","track":1,"position":90.0,"#
                    + #""positionQuality":"estimated","waited":0.12}"#
            ]
        ),
        (
            .chapterChanged(
                Statuses.item,
                .init(
                    number: 2, count: 3,
                    chapter: Chapter(
                        start: .seconds(60), end: .seconds(90), title: "Storm", url: "https://host.example/storm",
                        image: .stored(StoredPicture(range: 100..<350, mimeType: "image/png"))))),
            [
                #"{"event":"chapter","track":1,"number":2,"count":3,"start":60.0,"end":90.0,"title":"Storm","#
                    + #""url":"https://host.example/storm","image":null,"#
                    + #""picture":{"offset":100,"length":250,"type":"image/png","unsynchronized":false}}"#
            ]
        ),
        (
            .chapterChanged(Statuses.item, nil),
            [
                #"{"event":"chapter","track":1,"number":null,"count":null,"start":null,"end":null,"title":null,"#
                    + #""url":null,"image":null,"picture":null}"#
            ]
        ),
        (.ended, [#"{"event":"ended"}"#]),
        (
            .outputInterrupted(MediaFailure(.unavailable, "gone")),
            [#"{"event":"output","phase":"interrupted","reason":"gone"}"#]
        ),
        (.outputRestored, [#"{"event":"output","phase":"restored","reason":null}"#]),
        (
            .pausedByItself(MediaFailure(.unavailable, "unplugged")),
            [#"{"event":"output","phase":"paused","reason":"unplugged"}"#]
        ),
        (
            .itemFailed(Statuses.item, MediaFailure(.forbidden, "the server answered 403 Forbidden")),
            [
                #"{"event":"error","kind":"forbidden","status":77,"subject":"http://example.net/rain.mp3","#
                    + #""reason":"the server answered 403 Forbidden","track":1}"#
            ]
        ),
        (
            .seekFailed(Statuses.item, MediaFailure(.badData, "truncated")),
            [
                #"{"event":"error","kind":"badData","status":65,"subject":"http://example.net/rain.mp3","#
                    + #""reason":"truncated","track":1,"continues":true}"#
            ]
        ),
        (
            .beyondEnd(Statuses.item, at: .seconds(90), end: .exact(.seconds(60)), .stayed),
            [
                #"{"event":"error","kind":"missing","status":66,"subject":"http://example.net/rain.mp3","#
                    + #""reason":"1:30 is beyond the end (1:00)","track":1,"continues":true}"#
            ]
        ),
        (
            .beyondEnd(Statuses.item, at: .seconds(90), end: .exact(.seconds(60)), .refused),
            [
                #"{"event":"error","kind":"missing","status":66,"subject":"http://example.net/rain.mp3","#
                    + #""reason":"the start position 1:30 is beyond the end (1:00)","track":1}"#
            ]
        ),
    ]

    @Test("Each event produces its documented object", arguments: events)
    func event(event: PlayerEvent, expected: [String]) {
        var reporter = JSONReporter()
        let lines = reporter.report(event, status: Statuses.playing, at: .zero).compactMap { text in
            if case .output(let line) = text { line } else { nil }
        }
        #expect(lines == expected.map { $0 + "\n" })
    }

    @Test("The position is reported once per second with all its keys")
    func position() {
        var reporter = JSONReporter()
        let expected =
            #"{"event":"position","position":1175.0,"positionQuality":"exact","duration":3500.0,"#
            + #""durationQuality":"estimated","buffered":[[0.0,2333.0],[2900.0,3100.0]],"#
            + #""download":{"state":"receiving","bytes":41000000,"total":56000000,"rate":1240000},"wait":null,"#
            + #""stallRisk":{"chance":0.07,"in":null},"track":1,"volume":100,"speed":1.0,"remaining":2325.0,"#
            + #""trimSilence":"off","loudness":null,"gain":null,"voiceBoost":false,"sleep":null,"repeat":"off"}"#
        #expect(reporter.refresh(Statuses.playing, at: .zero) == [.output(expected + "\n")])
        #expect(reporter.refresh(Statuses.playing, at: .milliseconds(900)) == [])
        #expect(reporter.refresh(Statuses.playing, at: .milliseconds(1000)).count == 1)
    }

    @Test("An unknown value is null, and its key is present")
    func unknown() {
        var reporter = JSONReporter()
        let wait = PlayerStatus.Wait(waited: .seconds(3), expected: .milliseconds(12_500))
        let status = PlayerStatus(activity: .loading, item: Statuses.item, wait: wait)
        let expected =
            #"{"event":"position","position":null,"positionQuality":"unknown","duration":null,"#
            + #""durationQuality":"unknown","buffered":[],"#
            + #""download":{"state":"idle","bytes":0,"total":null,"rate":null},"wait":12.5,"stallRisk":null,"#
            + #""track":1,"volume":100,"#
            + #""speed":1.0,"remaining":null,"trimSilence":"off","loudness":null,"gain":null,"voiceBoost":false,"#
            + #""sleep":null,"repeat":"off"}"#
        #expect(reporter.refresh(status, at: .zero) == [.output(expected + "\n")])
        #expect(reporter.refresh(PlayerStatus(), at: .seconds(5)) == [])
    }

    @Test("Each command is answered")
    func answers() {
        var reporter = JSONReporter()
        #expect(
            reporter.answer(CommandAnswer(line: "seek +30"))
                == [.output(#"{"event":"answer","command":"seek +30","ok":true,"error":null}"# + "\n")])
        #expect(
            reporter.answer(CommandAnswer(line: "dance", problem: "no"))
                == [.output(#"{"event":"answer","command":"dance","ok":false,"error":"no"}"# + "\n")])
    }
}
