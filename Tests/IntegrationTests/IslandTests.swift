// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Playback
import Testing

@Suite("Islands: seeks that open a second transfer, on a sound server", .serialized, .soundLane, .needsSoundServer)
struct IslandTests {
    private let stage: PulseStage

    init() throws { stage = try PulseStage() }

    @Test("C21 after a seek past the downloaded data and back, the hole fills and no byte is fetched twice")
    func holeFills() async throws {
        let file = try TestSound(frames: 30 * 44_100).encoded("-b", "320")
        let link = try ShapedLink([file], rate: 120_000)
        let run = stage.start(link.items)
        #expect(await run.wait { $0.position > .milliseconds(200) })
        run.player.send(.seek(.absolute(.time(.seconds(25)))))
        let isThere = await run.wait { $0.isPlaying(within: .milliseconds(25_100)..<(.seconds(29))) }
        try #require(isThere)
        // The second transfer begins after the hole.
        #expect(link.server.requests.count > 1)
        run.player.send(.seek(.absolute(.time(.zero))))
        #expect(await run.wait { $0.isPlaying(within: .milliseconds(100)..<(.seconds(25))) })
        #expect(await run.wait { $0.player.status.downloadProgress?.condition == .complete })
        #expect(await run.stop() && run.failures == [])
        let name = try #require(stage.scratch.names(in: "keep").first { $0.hasSuffix(".mp3") })
        #expect(firstDifference(stage.scratch.read("keep/" + name), file) == nil)
        let requests = link.server.requests
        #expect(requests.dropFirst().allSatisfy { $0.range != nil && $0.status == 206 }, "\(requests)")
        // Allow for bytes in transit when a transfer was abandoned, and for the overlap compared on resumption.
        let sent = requests.reduce(0) { $0 + $1.bytesSent }
        let allowed = requests.count * 16_384 * TimeLimit.factor
        #expect(sent <= file.count + allowed, "\(sent) of \(file.count) in \(requests.count)")
        #expect(link.server.mostAtOnce <= 2)
    }

    @Test(
        "C23 after a far seek in a VBR file, the time is corrected without a break when the hole has filled")
    func estimate() async throws {
        let file = try TestSound(frames: 50 * 44_100).encoded("-V", "0")
        let wanted = try Frames(of: file)
        let link = try ShapedLink([file], rate: 400_000)
        let run = stage.start(link.items)
        #expect(await run.wait { $0.position > .milliseconds(200) })
        run.player.send(.seek(.absolute(.time(.seconds(40)))))
        let isThere = await run.wait { $0.isPlaying(within: .milliseconds(38_000)..<(.seconds(43))) }
        try #require(isThere)
        let status = run.player.status
        if status.downloadProgress?.extents.ranges.count == 2, case .exact = status.duration {
            Issue.record("the exact length cannot be known yet")
        }
        let mark = stage.recorded.all.count
        #expect(await run.wait { $0.player.status.downloadProgress?.condition == .complete })
        await stage.record(.milliseconds(500))
        run.player.send(.pause)
        #expect(await run.wait { $0.player.status.activity == .paused(waiting: false) })
        #expect(await stage.isSilent())
        let shown = run.position
        #expect(await run.stop() && run.failures == [] && run.stalls == 0)
        // A server on a busy machine inserts silence. The old sound fades out, and what precedes the target fades in.
        let heard = Array(Frames(Array(stage.recorded.all.dropFirst(mark))).sounding.dropFirst(4410))
        let place = try #require(wanted.place(of: heard, within: 37 * 44_100..<44 * 44_100))
        let time = Duration.seconds(Double(place + heard.count) / 44_100)
        #expect(heard.count > 44_100 && abs((shown - time) / .seconds(1)) < 0.1, "\(shown) for \(time)")
    }
}

extension Frames {
    /// Returns the frame at which `heard` begins, within the tolerance of a decoder started elsewhere; `nil` if no
    /// frame matches.
    fileprivate func place(of heard: [UInt64], within frames: Range<Int>) -> Int? {
        frames.first { place in
            zip(heard.prefix(64), all[place...]).allSatisfy(Self.isNear)
                && heard.count <= all.count - place && zip(heard, all[place...]).allSatisfy(Self.isNear)
        }
    }

    private static func isNear(_ one: UInt64, _ other: UInt64) -> Bool {
        func sample(_ frame: UInt64, _ shift: UInt64) -> Float {
            Float(bitPattern: UInt32(truncatingIfNeeded: frame >> shift))
        }
        return abs(sample(one, 32) - sample(other, 32)) < 1e-5 && abs(sample(one, 0) - sample(other, 0)) < 1e-5
    }
}
