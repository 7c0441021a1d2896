// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Media
import Playback
import Testing

@testable import TerminalInterface

@Suite("Parsing and printing of times")
struct TimeTextTests {
    @Test(
        "A time or a percentage is parsed",
        arguments: [
            ("45:00", TimeTarget.time(.seconds(2700))), ("1:02:03", .time(.seconds(3723))),
            ("2700", .time(.seconds(2700))), ("2700.5", .time(.milliseconds(2_700_500))),
            ("0", .time(.zero)), (".5", .time(.milliseconds(500))), ("90:00", .time(.seconds(5400))),
            ("1:02:03.25", .time(.milliseconds(3_723_250))), ("0.0000000019", .time(.nanoseconds(1))),
            ("75%", .fraction(0.75)), ("0%", .fraction(0)), ("100%", .fraction(1)), ("12.5%", .fraction(0.125)),
        ])
    func target(text: String, expected: TimeTarget) throws {
        #expect(try TimeTarget(parsing: text) == expected)
    }

    @Test(
        "An invalid time is refused with a message that quotes it",
        arguments: [
            "", ":", "abc", "1:60", "1:2:3:4", "-5", "+5", "1:", ":30", "1e3", "nan", "inf", "0x10", "1.5:00", "101%",
            "%", "-1%", "1.2.3", "99999999999999999999", "9999999999", "1000000000:00:00", " 5", "٣",
        ])
    func refused(text: String) {
        let error = #expect(throws: ArgumentError.self) { try TimeTarget(parsing: text) }
        #expect(error?.description.contains("\"\(text)\"") == true)
    }

    @Test("The message about a percentage excludes the end for a start or a seek, but not for an end")
    func percentages() {
        let start = #expect(throws: ArgumentError.self) { try StartTarget(parsing: "120%") }
        #expect(start?.description == "invalid percentage \"120%\": write 0% or more, but less than 100%")
        let seek = #expect(throws: ArgumentError.self) { try SeekTarget(parsing: "120%") }
        #expect(seek == start)
        let end = #expect(throws: ArgumentError.self) { try TimeTarget(parsing: "120%") }
        #expect(end?.description == "invalid percentage \"120%\": write 0% to 100%")
    }

    @Test(
        "A seek is relative or absolute",
        arguments: [
            ("+30", SeekTarget.relative(.seconds(30))), ("-10", .relative(.seconds(-10))),
            ("-1:30", .relative(.seconds(-90))), ("45:00", .absolute(.time(.seconds(2700)))),
            ("75%", .absolute(.fraction(0.75))),
        ])
    func seek(text: String, expected: SeekTarget) throws {
        #expect(try SeekTarget(parsing: text) == expected)
    }

    @Test("A relative seek in percent is refused", arguments: ["+75%", "-5%", "+", "-", "+-3"])
    func noStep(text: String) {
        #expect(throws: ArgumentError.self) { try SeekTarget(parsing: text) }
    }

    @Test(
        "A shift of a transcript is a time with a sign, of at most a day",
        arguments: [
            ("+35", Duration.seconds(35)), ("-2.5", .milliseconds(-2500)), ("0", .zero), ("1:10", .seconds(70)),
            ("-24:00:00", .seconds(-86_400)), ("+86401", nil), ("99999999", nil), ("5%", nil), ("abc", nil), ("", nil),
            ("+", nil), ("--3", nil),
        ] as [(String, Duration?)])
    func transcriptShift(text: String, expected: Duration?) throws {
        guard let expected else {
            let error = #expect(throws: ArgumentError.self) { try Duration(parsingShift: text) }
            #expect(error?.description.hasPrefix("invalid shift \"\(text)\": write ") == true)
            return
        }
        #expect(try Duration(parsingShift: text) == expected)
    }

    @Test(
        "A time is truncated to the second",
        arguments: [
            (Duration.seconds(2467), "41:07"), (.seconds(3723), "1:02:03"), (.milliseconds(999), "0:00"),
            (.seconds(-3), "0:00"), (.seconds(360_000), "100:00:00"),
        ])
    func shown(time: Duration, expected: String) {
        #expect(ClockText.time(time) == expected)
    }

    @Test(
        "An estimated duration is marked",
        arguments: [
            (MediaDuration.estimated(.seconds(3500)), "~58:20"), (.exact(.seconds(3500)), "58:20"),
            (.declared(.seconds(3500)), "58:20"), (.unknown, "?"),
        ])
    func estimate(duration: MediaDuration, expected: String) {
        #expect(ClockText.time(duration) == expected)
    }

    @Test(
        "A size has at least two digits",
        arguments: [
            (Int64(0), "0 B"), (999, "999 B"), (1000, "1 kB"), (63_600, "64 kB"), (1_240_000, "1.2 MB"),
            (34_000_000, "34 MB"), (999_600, "1.0 MB"), (2_100_000_000, "2.1 GB"), (-5, "0 B"),
            (.max, "9223372 TB"),
        ])
    func size(bytes: Int64, expected: String) {
        #expect(ClockText.size(bytes) == expected)
    }

    @Test("An invalid rate does not trap", arguments: [Double.infinity, -.infinity, .nan, -1])
    func rate(value: Double) {
        #expect(ClockText.rate(value).hasSuffix("/s"))
    }

    @Test(
        "A speed is shown with the time left at that speed, the normal speed is not",
        arguments: [(1, nil), (1.5, "1.5x 25:50 left"), (0.85, "0.85x 45:35 left"), (2, "2.0x 19:22 left")]
            as [(Double, String?)])
    func speed(speed: Double, text: String?) {
        var status = Statuses.playing
        status.sound.speed = speed
        #expect(ClockText.speed(status) == text)
    }

    @Test("The sleep timer is shown with the time or the episodes left")
    func sleep() {
        var status = Statuses.playing
        let texts = [nil, SleepTimer.after(.seconds(125)), .endOfItem(count: 1), .endOfItem(count: 3)].map { timer in
            status.sleep = timer
            return ClockText.sleep(status)
        }
        #expect(texts == [nil, "sleep 2:05", "sleep after this episode", "sleep after 3 episodes"])
    }
}
