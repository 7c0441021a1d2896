// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("Ogg: truncated pages")
struct OggTruncationTests {
    @Test("The whole packets of a truncated page are returned")
    func truncatedPage() {
        let pages = OggStreamTests.pages(OpusStream(packetLength: 100).bytes)
        let bytes = Array(pages[...4].joined()) + pages[5].prefix(27 + 8 + 350)
        let records = ContainerRun.records(bytes, OggParser())
        #expect(records.packets.count == 24 + 3)
        #expect(records.packets.last?.frame == Int64(26 * 960))
    }

    @Test("A parser resumes inside a truncated page")
    func resumeInTruncatedPage() throws {
        let pages = OggStreamTests.pages(OpusStream(packetLength: 100).bytes)
        var run = ContainerRun(Array(pages[...4].joined()) + pages[5].prefix(27 + 8 + 350), OggParser())
        run.run()
        let linear = run.records.filter { $0.packet != nil }
        run.parser.resume(at: try #require(linear[25].point))
        run.run()
        #expect(run.records.filter { $0.packet != nil } == Array(linear[25...]))
    }

    @Test("A jump away from a truncated page discards the report of its damage")
    func jumpFromTruncatedPage() throws {
        let pages = OggStreamTests.pages(OpusStream(packetLength: 100).bytes)
        var run = ContainerRun(Array(pages[...4].joined()) + pages[5].prefix(27 + 8 + 350), OggParser())
        run.run(packets: 26)
        let point = try #require(run.records.first(where: { $0.packet != nil })?.point)
        run.parser.resume(at: point)
        run.run(packets: 1)
        #expect(run.records.compactMap(\.garbage) == [])
    }
}
