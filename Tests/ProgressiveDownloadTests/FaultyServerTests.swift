// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Logging
import Media
import ProgressiveDownload
import Testing

@Suite("EpisodeDownload over libcurl from a faulty server", .timeLimit(.minutes(TimeLimit.factor)))
struct FaultyServerTests {
    /// The server's behaviour per request; the last entry repeats forever.
    struct Fault: Sendable, CustomTestStringConvertible {
        let testDescription: String
        var isChange = false
        let scripts: [FaultScript]
    }

    private static let content = episode(400_000)
    private static let other = episode(400_000, seed: 2)
    private static let good = FaultScript(body: content).with { $0.etag = "\"a\"" }
    private static let bare = FaultScript(body: content)
    private static let changed = FaultScript(body: other).with { $0.etag = "\"b\"" }

    private static let faults = [
        Fault(testDescription: "none", scripts: [good]),
        Fault(testDescription: "truncated", scripts: [good.cut(after: 150_000), good]),
        Fault(testDescription: "repeated resets", scripts: [good.cut(after: 150_000, .reset)]),
        Fault(testDescription: "no response to the first request", scripts: [good.with { $0.isMute = true }, good]),
        Fault(
            testDescription: "range ignored", scripts: [bare.cut(after: 150_000), bare.with { $0.ranges = .ignored }]),
        Fault(
            testDescription: "a different range",
            scripts: [good.cut(after: 150_000), good.with { $0.ranges = .shifted(by: 7) }]),
        Fault(
            testDescription: "the bytes of a different range",
            scripts: [good.cut(after: 150_000), good.with { $0.ranges = .lying(by: 7) }]),
        Fault(
            testDescription: "a 206 without Content-Range",
            scripts: [good.cut(after: 150_000), good.with { $0.ranges = .bare }]),
        Fault(
            testDescription: "shorter ranges than requested",
            scripts: [good.cut(after: 150_000), good.with { $0.ranges = .capped(100_000) }]),
        Fault(testDescription: "broken chunks", scripts: [good.with { $0.framing = .brokenChunked }, good]),
        Fault(testDescription: "chunks", scripts: [good.with { $0.framing = .chunked }]),
        Fault(testDescription: "503", scripts: [.status(503), good]),
        Fault(
            testDescription: "a sign-in page during the download",
            scripts: [good.cut(after: 150_000), .webPage(), good]),
        Fault(
            testDescription: "a sign-in page with an audio content type during the download",
            scripts: [good.cut(after: 150_000), .webPage(contentType: "audio/mpeg"), good]),
        Fault(testDescription: "a different version", isChange: true, scripts: [good.cut(after: 150_000), changed]),
        Fault(
            testDescription: "a different version, If-Range ignored", isChange: true,
            scripts: [good.cut(after: 150_000), changed.with { $0.honoursIfRange = false }]),
        Fault(
            testDescription: "a different version without a validator", isChange: true,
            scripts: [bare.cut(after: 150_000), FaultScript(body: other)]),
    ]

    @Test("The downloaded file is one version, byte for byte", arguments: faults)
    func file(fault: Fault) async throws {
        let server = try FaultServer(["/e.mp3": fault.scripts])
        defer { server.stop() }
        let directory = ScratchDirectory()
        let transport = CurlTransport(version: "0", logger: Logger(label: "test"))
        let download = EpisodeDownload(
            HTTPRequest(url: server.url("/e.mp3")), file: DownloadLocation(directory: directory.path, name: "e.mp3"),
            transport: transport, clock: ManualClock(skipsWaits: true), logger: Logger(label: "test"))
        download.start()
        let downloadProgress = await download.source.reach(\.isOver)
        download.source.close()
        #expect(downloadProgress.condition == .complete)
        #expect(directory.fileNames == ["e.mp3"])
        let isEqual = directory.read("e.mp3") == (fault.isChange ? Self.other : Self.content)
        #expect(isEqual)
    }
}
