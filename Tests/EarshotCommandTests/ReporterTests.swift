// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import Testing

@testable import TerminalInterface

@Suite("Reporters")
struct ReporterTests {
    private let failure = MediaFailure(.missing, "the server answered 404 Not Found")
    private let sentence = ReportText.error(
        "earshot: http://example.net/rain.mp3: the server answered 404 Not Found\n")

    @Test("A message names its subject once")
    func subject() {
        let unknown = MediaFailure(.missing, "there is no smart queue \"morning\"")
        let line = FailureText.line(unknown, about: "morning")
        #expect(line == .error("earshot: there is no smart queue \"morning\"\n"))
        let empty = FailureText.line(MediaFailure(.missing, "the smart queue is empty"), about: "morning")
        #expect(empty == .error("earshot: morning: the smart queue is empty\n"))
    }

    @Test("The plain reporter prints a line when the state changes, not every second")
    func plainPace() {
        var reporter = PlainReporter(style: LineStyle())
        var status = Statuses.playing
        let first = reporter.refresh(status, at: .zero)
        #expect(
            first == [
                .error("playing 19:35 / ~58:20, 1.2 MB/s, 15 MB left: The Weather Letters - Rain on the old harbour\n")
            ])
        status.position = .seconds(1180)
        status.downloadProgress?.bytesPerSecond = 900_000
        #expect(reporter.refresh(status, at: .seconds(5)) == [])
        status.activity = .paused(waiting: false)
        #expect(reporter.refresh(status, at: .seconds(6)).count == 1)
        status.volume = 0.8
        #expect(reporter.refresh(status, at: .milliseconds(6999)) == [])
        #expect(reporter.refresh(status, at: .seconds(7)).count == 1)
        #expect(reporter.refresh(status, at: .seconds(60)) == [])
    }

    @Test("The plain reporter prints the end of playback however soon it follows another line")
    func plainEnd() {
        var reporter = PlainReporter(style: LineStyle())
        var status = Statuses.playing
        _ = reporter.refresh(status, at: .zero)
        status.activity = .ended
        #expect(reporter.report(.ended, status: status, at: .milliseconds(1)).count == 1)
        #expect(reporter.refresh(status, at: .milliseconds(2)) == [])
    }

    @Test("The plain reporter prints that playback stopped however soon that follows another line")
    func plainStop() {
        var reporter = PlainReporter(style: LineStyle())
        var status = Statuses.playing
        _ = reporter.refresh(status, at: .zero)
        status.activity = .idle
        let line = "stopped 19:35 / ~58:20, 1.2 MB/s, 15 MB left: The Weather Letters - Rain on the old harbour\n"
        let texts = reporter.refresh(status, at: .milliseconds(1))
        #expect(texts == [.error(line)])
    }

    @Test("The plain reporter prints a line after each seek")
    func plainSeek() {
        var reporter = PlainReporter(style: LineStyle())
        _ = reporter.refresh(Statuses.playing, at: .zero)
        let event = PlayerEvent.seekLanded(Statuses.item, at: .seconds(1175), isEstimated: false, waited: .zero)
        let texts = reporter.report(event, status: Statuses.playing, at: .seconds(2))
        #expect(texts.count == 1)
    }

    @Test("The status line is hidden while another program has the terminal, and is drawn again afterwards")
    func background() {
        var reporter = StatusLineReporter(width: 80, style: LineStyle())
        _ = reporter.refresh(Statuses.playing, at: .zero)
        #expect(reporter.setBackground(true) == [.error("\n")])
        #expect(reporter.setBackground(true) == [])
        #expect(reporter.refresh(Statuses.buffering, at: .seconds(1)) == [])
        #expect(reporter.report(failure, about: "http://example.net/rain.mp3") == [sentence])
        #expect(reporter.setBackground(false) == [])
        #expect(reporter.refresh(Statuses.buffering, at: .seconds(2)).count == 1)
    }

    @Test("Plain lines contain no control characters")
    func plainIsPlain() {
        var reporter = PlainReporter(style: LineStyle())
        let texts = reporter.refresh(Statuses.wide, at: .zero)
        #expect(!texts.isEmpty)
        for case .error(let text) in texts {
            #expect(text.unicodeScalars.dropLast().allSatisfy { $0.properties.generalCategory != .control })
        }
    }

    @Test("Every reporter reports a failed item immediately, with its address and the reason")
    func failures() {
        let event = PlayerEvent.itemFailed(Statuses.item, failure)
        let reporters: [any PlaybackReporter] = [
            PlainReporter(style: LineStyle()), QuietReporter(), StatusLineReporter(width: 80, style: LineStyle()),
            JSONReporter(),
        ]
        for var reporter in reporters {
            #expect(reporter.report(event, status: Statuses.playing, at: .zero).contains(sentence))
        }
    }

    @Test("Every reporter reports a lost output, a shortened file, and a pause that the player caused")
    func output() {
        let reason = MediaFailure(.unavailable, "it was unplugged")
        let events: [(PlayerEvent, String)] = [
            (.outputInterrupted(reason), "earshot: sound output: it was unplugged; waiting for it\n"),
            (
                .connectionLost(Statuses.item, at: .seconds(4), MediaFailure(.inputOutput, "the file was truncated")),
                "earshot: \(Statuses.item.location): stopped at 0:04: the file was truncated\n"
            ),
        ]
        let reporters: [any PlaybackReporter] = [
            PlainReporter(style: LineStyle()), QuietReporter(), StatusLineReporter(width: 80, style: LineStyle()),
            JSONReporter(),
        ]
        for (event, sentence) in events {
            for var reporter in reporters {
                #expect(reporter.report(event, status: Statuses.playing, at: .zero).contains(.error(sentence)))
            }
        }
    }

    @Test("The words for a missing output fit a device that is retried and one that is awaited")
    func missingOutput() {
        #expect(ActivityText(PlayerStatus.Activity.noDevice(reason: "gone")).words == "no sound output, waiting")
    }

    @Test("A pause after unplugging a device is one line, with the key to resume if there is a keyboard")
    func unplugged() {
        let event = PlayerEvent.pausedByItself(MediaFailure(.unavailable, "the sound device was unplugged"))
        var line: any PlaybackReporter = StatusLineReporter(width: 80, style: LineStyle())
        var plain: any PlaybackReporter = PlainReporter(style: LineStyle())
        let sentence = "earshot: the sound device was unplugged: paused"
        #expect(
            line.report(event, status: Statuses.playing, at: .zero)
                .contains(.error(sentence + ". Press space to play on another\n")))
        #expect(plain.report(event, status: Statuses.playing, at: .zero) == [.error(sentence + "\n")])
    }

    @Test("After an error the end of playback is not reported")
    func endedAfterError() {
        var status = Statuses.playing
        status.activity = .ended
        for reporter in [StatusLineReporter(width: 80, style: LineStyle()), PlainReporter(style: LineStyle())]
            as [any PlaybackReporter]
        {
            var reporter = reporter
            _ = reporter.report(.itemFailed(Statuses.item, failure), status: status, at: .zero)
            #expect(reporter.refresh(status, at: .seconds(9)) == [])
            #expect(reporter.finish() == [])
            _ = reporter.report(.itemStarted(Statuses.item), status: Statuses.playing, at: .seconds(20))
            #expect(reporter.refresh(status, at: .seconds(30)) != [])
        }
    }

    @Test("The quiet reporter prints nothing unless an error occurs")
    func quiet() {
        var reporter = QuietReporter()
        #expect(reporter.report(.itemStarted(Statuses.item), status: Statuses.playing, at: .zero) == [])
        #expect(reporter.refresh(Statuses.playing, at: .seconds(5)) == [])
        #expect(reporter.finish() == [])
    }

    @Test("The status line is redrawn only when it changes, and leaves the last column free")
    func statusLine() {
        var reporter = StatusLineReporter(width: 80, style: LineStyle())
        let expected = "\r\u{1B}[K" + StatusLine.render(Statuses.playing, width: 79, style: LineStyle())
        #expect(reporter.refresh(Statuses.playing, at: .zero) == [.error(expected)])
        #expect(reporter.refresh(Statuses.playing, at: .seconds(1)) == [])
        reporter.redraw(width: 80)
        #expect(reporter.refresh(Statuses.playing, at: .seconds(2)) == [.error(expected)])
    }

    @Test("A message is printed above the status line, which is drawn again")
    func scrolls() {
        var reporter = StatusLineReporter(width: 80, style: LineStyle())
        _ = reporter.refresh(Statuses.playing, at: .zero)
        let texts = reporter.report(.itemFailed(Statuses.item, failure), status: Statuses.playing, at: .zero)
        #expect(texts.count == 3)
        #expect(texts.prefix(2) == [.error("\r\u{1B}[K"), sentence])
    }

    @Test("The shell prompt starts on a new line if a status line was shown")
    func finish() {
        var reporter = StatusLineReporter(width: 80, style: LineStyle())
        #expect(reporter.finish() == [])
        _ = reporter.refresh(Statuses.playing, at: .zero)
        #expect(reporter.finish() == [.error("\n")])
        #expect(reporter.finish() == [])
    }
}
