// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Testing

@testable import TerminalInterface

@Suite("DownloadLine")
struct DownloadLineTests {
    static let half = DownloadProgress(
        condition: .receiving, total: 50_000_000, extents: ByteRangeSet([0..<31_000_000]), bytesPerSecond: 1_200_000)

    static func progress(_ change: (inout DownloadProgress) -> Void = { _ in }) -> DownloadItem {
        var downloadProgress = half
        change(&downloadProgress)
        return DownloadItem(
            number: 1, title: "Rain on the old harbour", podcast: "The Weather Letters", location: "http://a/rain.mp3",
            downloadProgress: downloadProgress)
    }

    static let lengthless = progress { $0.total = nil }
    static let rateless = progress { $0.bytesPerSecond = nil }
    static let waiting = progress { $0.condition = .backingOff(.init(reason: "the connection\u{1B}[31m broke")) }
    static let connecting = progress {
        ($0.condition, $0.extents, $0.total) = (.connecting, ByteRangeSet(), nil)
    }

    @Test(
        "Less important parts are left out on a narrow terminal, estimates are marked, and unknown values are named",
        arguments: [
            (
                progress(), 120,
                "Rain on the old harbour  ─────────────────────────···············"
                    + "   62%   31 MB of 50 MB  1.2 MB/s   ~0:16 left"
            ),
            (progress(), 80, "Rain on the old har…  ───────·····   62%   31 MB of 50 MB  1.2 MB/s   ~0:16 left"),
            (progress(), 60, "Rain on the old har… ────────·····  62% 1.2 MB/s  ~0:16 left"),
            (progress(), 40, "Rain on the old… ──────····  62%  ~0:16"),
            (progress(), 20, "Rain… ─────···  62%"),
            (progress(), 4, " 62%"),
            (rateless, 80, "Rain on the old ha…  ───────·····   62%   31 MB of 50 MB            time unknown"),
            (lengthless, 80, "The Weather Letters - Rain on the old harbour   31 MB  length unknown  1.2 MB/s"),
            (lengthless, 40, "Rain on the old harbour  31 MB"),
            (waiting, 80, "Rain on the old harbo…  ─────────·····   62%  the connection[31m broke, retrying"),
            (waiting, 40, "Rain on the ol… ──────····  62% retrying"),
            (connecting, 80, "The Weather Letters - Rain on the old harbour  connecting"),
        ])
    func lines(progress: DownloadItem, width: Int, line: String) {
        let drawn = DownloadLine.render(progress, width: width, style: LineStyle())
        #expect(drawn == line)
        #expect(drawn.terminalColumns <= width)
    }

    @Test("A line is never wider than its terminal", arguments: 0...130)
    func width(width: Int) {
        for progress in [Self.progress(), Self.lengthless, Self.rateless, Self.waiting, Self.connecting] {
            for glyphs in [LineStyle.Glyphs.ascii, .unicode] {
                let drawn = DownloadLine.render(progress, width: width, style: LineStyle(glyphs: glyphs))
                #expect(drawn.terminalColumns <= width && !drawn.contains("\u{1B}"))
            }
        }
    }

    @Test("Changing figures do not move other parts of the line")
    func steady() {
        let rates = [9_000.0, 990_000, 1_200_000]
        let bars = rates.map { rate in
            DownloadLine.render(Self.progress { $0.bytesPerSecond = rate }, width: 80, style: LineStyle())
                .prefix { !"%".contains($0) }
        }
        #expect(Set(bars).count == 1)
    }
}

@Suite("Reporters of downloads")
struct DownloadReporterTests {
    static let waiting = DownloadLineTests.waiting
    static let done = DownloadLineTests.progress {
        ($0.condition, $0.extents) = (.complete, ByteRangeSet([0..<50_000_000]))
    }

    @Test("The plain reporter prints the start, each retry and the end, and the path on standard output")
    func plain() {
        var reporter: any DownloadReporter = PlainDownloadReporter(style: LineStyle())
        let name = "The Weather Letters - Rain on the old harbour"
        #expect(
            reporter.began(DownloadLineTests.progress(), at: .seconds(1))
                == [.error("downloading: \(name), 31 MB of 50 MB on disk\n")])
        #expect(reporter.changed(DownloadLineTests.progress(), at: .seconds(1)) == [])
        #expect(reporter.refresh(DownloadLineTests.progress(), at: .seconds(2)) == [])
        #expect(
            reporter.changed(Self.waiting, at: .seconds(3))
                == [.error("the connection[31m broke, retrying: \(name)\n")])
        #expect(reporter.changed(DownloadLineTests.progress(), at: .seconds(4)) == [.error("resumed: \(name)\n")])
        #expect(reporter.changed(Self.done, at: .seconds(5)) == [])
        #expect(
            reporter.finished(Self.done, path: "/k/a.mp3", wasKept: false, at: .seconds(66))
                == [.error("done: \(name), 50 MB in 1:05\n"), .output("/k/a.mp3\n")])
    }

    @Test("The status line is cleared before a message or a path is printed")
    func line() {
        var reporter: any DownloadReporter = DownloadLineReporter(width: 40, style: LineStyle())
        #expect(reporter.began(DownloadLineTests.progress(), at: .zero).count == 1)
        #expect(reporter.refresh(DownloadLineTests.progress(), at: .seconds(1)) == [])
        let failure = MediaFailure(.missing, "the server answered 404 Not Found")
        #expect(
            reporter.failed(failure, about: "http://a/b", number: 1)
                == [.error("\r\u{1B}[K"), .error("earshot: http://a/b: the server answered 404 Not Found\n")])
        #expect(reporter.finish() == [])
        #expect(reporter.refresh(DownloadLineTests.progress(), at: .seconds(2)).count == 1)
        #expect(
            reporter.finished(Self.done, path: "/k/a.mp3", wasKept: true, at: .zero)
                == [.error("\r\u{1B}[K"), .output("/k/a.mp3\n")])
    }

    @Test("The quiet reporter prints only the path and errors")
    func quiet() {
        var reporter: any DownloadReporter = QuietDownloadReporter()
        #expect(reporter.began(Self.waiting, at: .zero) == [] && reporter.changed(Self.waiting, at: .zero) == [])
        #expect(reporter.refresh(Self.waiting, at: .zero) == [] && reporter.finish() == [])
        #expect(reporter.finished(Self.done, path: "/a", wasKept: true, at: .zero) == [.output("/a\n")])
        #expect(reporter.failed(MediaFailure(.missing, "r"), about: "s", number: nil) == [.error("earshot: s: r\n")])
    }

    @Test("A file that `play` cannot decode is an event in JSON")
    func cannotPlay() throws {
        var reporter = ReporterChoice.json.downloadReporter(width: 80, style: LineStyle())
        let texts = reporter.cannotPlay(MediaFailure(.badData, "this is AC-3 in MP4"), about: "s")
        #expect(texts.output.hasPrefix("{\"event\":\"error\",\"kind\":\"badData\""))
        #expect(texts.last == .error("earshot: s: this is AC-3 in MP4\n"))
    }

    @Test("Only a complete file has 100 %, and the remaining time is at least a second")
    func figures() {
        let almost = DownloadLineTests.progress { $0.extents = ByteRangeSet([0..<49_999_999]) }
        #expect(almost.percent == 99 && almost.timeLeft == .seconds(1))
        #expect(Self.done.percent == 100 && DownloadLineTests.lengthless.percent == nil)
        #expect(DownloadLineTests.progress { $0.bytesPerSecond = 0 }.timeLeft == nil)
    }
}
