// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import HTTPTransfer
import Logging
import Media
import Synchronization
import Testing

@testable import ProgressiveDownload

@Suite("Renewal of an expired address")
struct AddressRenewalTests {
    private typealias Server = ScriptedTransport
    private let directory = ScratchDirectory()
    private let content = episode(300_000)
    private let asked = RequestCounter()

    private final class RequestCounter: Sendable {
        let count = Atomic<Int>(0)
    }

    private func run(
        _ renewal: AddressRenewal, url: String = "http://a/b.mp3?token=1", _ answers: Server.Answer...
    ) async -> (DownloadProgress.Condition, [HTTPRequest]) {
        let transport = Server(answers)
        let download = EpisodeDownload(
            HTTPRequest(url: url), file: DownloadLocation(directory: directory.path, name: "e.mp3"),
            transport: transport, clock: ManualClock(skipsWaits: true), reserve: 0,
            renewal: { [asked] in
                asked.count.add(1, ordering: .relaxed)
                return renewal
            }, logger: Logger(label: "test"))
        download.start()
        let downloadProgress = await download.source.reach(\.isOver)
        download.source.close()
        return (downloadProgress.condition, transport.requests)
    }

    private let fresh = AddressRenewal.renewed(HTTPRequest(url: "http://a/b.mp3?token=2"))

    @Test("The feed is asked once for a new address, and the download resumes there", arguments: [401, 403, 404, 410])
    func renewed(status: Int) async {
        let (condition, requests) = await run(fresh, Server.status(status), Server.serve(content))
        #expect(condition == .complete)
        #expect(requests.map(\.url) == ["http://a/b.mp3?token=1", "http://a/b.mp3?token=2"])
        #expect(directory.read("e.mp3") == content)
        #expect(asked.count.load(ordering: .relaxed) == 1)
    }

    @Test("A renewed download keeps the stored bytes and requests only the rest")
    func resumed() async {
        let held = 200_000
        let hold: Server.Answer = { [content] request in
            Array(Server.serve(content, cut: held)(request).dropLast()) + [.hold]
        }
        let first = DownloadFixture(in: directory, url: "http://a/b.mp3?token=1", [hold])
        first.start()
        _ = await first.reach { $0.extents.count == held }
        first.source.close()
        let (condition, requests) = await run(fresh, Server.status(403), Server.serve(content))
        #expect(condition == .complete)
        #expect(requests.map(\.range) == [Int64(held) - 5003, Int64(held) - 5003])
        #expect(directory.read("e.mp3") == content)
    }

    @Test("If the renewal does not help, the failure describes the attempt")
    func inVain() async {
        let refusal = "the server answered 403 Forbidden"
        let same = await run(.same, Server.status(403)).0
        #expect(same == .failed(
            MediaFailure(.forbidden, refusal + "; the feed has no new URL")))
        let broken = await run(.failed("the feed no longer exists"), Server.status(403)).0
        #expect(broken == .failed(
            MediaFailure(.forbidden, refusal + "; cannot get a new URL from the feed: the feed no longer exists")))
        let again = await run(fresh, Server.status(403), Server.status(403)).0
        #expect(again == .failed(
            MediaFailure(.forbidden, refusal + "; the new URL from the feed failed, too")))
        #expect(asked.count.load(ordering: .relaxed) == 3)
    }

    @Test("The feed is not asked for an address without a token or for a status that expiry does not explain")
    func otherwise() async {
        _ = await run(fresh, url: "http://a/b.mp3", Server.status(404))
        _ = await run(fresh, Server.status(400))
        #expect(asked.count.load(ordering: .relaxed) == 0)
    }
}
