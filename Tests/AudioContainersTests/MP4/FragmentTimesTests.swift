// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import AudioContainers
@testable import CodecTestSupport

@Suite("MP4 parser: the times of fragments")
struct FragmentTimesTests {
    private let clock = TrackClock(rate: 44100, timescale: 44100)

    private func times(_ packets: Int64, duration: Int64, hidesLoss: Bool = false) -> FragmentTimes {
        var times = FragmentTimes(from: 5000)
        times.count(packets, frames: 1024, duration: duration, clock, hidesLoss: hidesLoss)
        return times
    }

    private func lost(_ times: FragmentTimes, before time: Int64) -> Int64? {
        times.lostFrames(before: 5000 + time, packetFrames: 1024, clock)
    }

    @Test("A time that agrees with the durations or with the number of packets shows no loss")
    func agreement() {
        #expect(lost(times(1000, duration: 1025), before: 1_025_000) == 0)
        #expect(lost(times(1000, duration: 1023), before: 1_023_000) == 0)
        #expect(lost(times(1000, duration: 0), before: 1_024_000) == 0)
        #expect(lost(times(1000, duration: 1024), before: 1_024_500) == 0)
    }

    @Test("A time that is ahead of both shows whole packets, however far they have moved apart")
    func loss() {
        for duration: Int64 in [0, 1000, 1023, 1024, 1025, 1100] {
            let time = max(1000 * duration, 1_024_000) + 3 * 1024
            #expect(lost(times(1000, duration: duration), before: time) == 3072, "\(duration)")
        }
        // The packet before the loss lasts until the next one.
        #expect(lost(times(1, duration: 4096, hidesLoss: true), before: 4096) == 3072)
        #expect(lost(times(1, duration: 4096), before: 4096) == 0)
    }

    @Test("A time before the packets is wrong")
    func past() {
        #expect(lost(times(1000, duration: 1024), before: 0) == nil)
        #expect(lost(times(1000, duration: 1024), before: 1_023_000) == nil)
    }

    private static let drifting = [drifted(60), drifted(-60), drifted(60, lost: 3), drifted(-60, lost: 3)]

    private static func drifted(_ drift: Int, lost: Int = 0) -> MP4Case {
        MP4Case(fragmented: "a drift of \(drift), \(lost) packets lost") {
            ($0.packetsPerFragment, $0.drift, $0.gaps) = (2, drift, [10: lost * 1024])
        }
    }

    @Test("Rounded durations do not add up to a lost packet, and a lost fragment stays one", arguments: drifting)
    func drift(file: MP4Case) throws {
        let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(outcome.packets.map(\.frame) == file.numbers.map { Int64($0) * 1024 })
        for index in stride(from: 0, to: file.payloads.count, by: 3) {
            let point = try #require(outcome.points[index])
            var driver = MP4Driver(MP4Parser(), file.bytes)
            driver.run(packets: 1)
            driver.parser.resume(at: point)
            driver.run()
            #expect(Array(driver.outcome.packets[1...]) == Array(outcome.packets[index...]))
        }
    }

    @Test(
        "The delay against the picture, which is part of the first packet's duration, is no loss",
        arguments: [1, 5], [2176, 5120])
    func delay(packetsPerFragment: Int, delay: Int) throws {
        let file = MP4Case(fragmented: "") {
            ($0.packetsPerFragment, $0.packetsPerRun, $0.delay) = (packetsPerFragment, 1, delay)
        }
        let outcome = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(outcome.packets.map(\.frame) == file.numbers.map { Int64($0) * 1024 })
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run(packets: 2)
        driver.parser.synchronize(from: file.offsets[20])
        driver.run(packets: 3)
        let found = try #require(driver.outcome.packets.last)
        #expect(found.frame == outcome.packets.first { $0.offset == found.offset }?.frame)
    }

    @Test("A seek into fragments that were not read after a jump is left to a search")
    func unreadFragments() throws {
        let file = MP4Case(fragmented: "", count: 2000)
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run(packets: 10)
        driver.parser.synchronize(from: file.offsets[1500])
        driver.run(packets: 20)
        driver.parser.totalLength = Int64(file.bytes.count)
        let length = driver.parser.length
        let (isRead, isUnread) = (driver.parser.seek(to: 3 * 1024), driver.parser.seek(to: 900 * 1024))
        #expect(isRead && !isUnread)
        guard case .estimated(let frames) = length else {
            Issue.record("\(length)")
            return
        }
        #expect(abs(frames - 2000 * 1024) < 200 * 1024, "\(frames)")
    }

    @Test("A time that a writer truncates to milliseconds is that of a packet")
    func milliseconds() throws {
        let config = try AACConfig(audioSpecificConfig: [0x12, 0x10])
        let clock = TrackClock(.aac(config), timescale: 44100)
        for frame in stride(from: Int64(0), to: 200 * 1024, by: 1024) {
            let milliseconds = frame * 1000 / 44100
            let found = clock.packetFrame(at: milliseconds * 44100 / 1000)
            #expect(found == frame)
        }
        // A delay of 2112 frames is two packets and 64 frames.
        let exact = clock.packetFrame(at: 20 * 1024 - 2112)
        #expect(exact == 18_368)
    }

    @Test("A gap that is not a whole number of packets counts as stated, also after a jump")
    func unevenGap() throws {
        let file = MP4Case(fragmented: "") { $0.gaps = [4: 1500] }
        let linear = MP4Driver.outcome(MP4Parser(), file.bytes)
        let expected: [Int64] = (0..<40).map { Int64($0) * 1024 + ($0 < 20 ? 0 : 1500) }
        #expect(linear.packets.map(\.frame) == expected)
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run(packets: 2)
        driver.parser.synchronize(from: file.offsets[27])
        driver.run()
        #expect(Array(driver.outcome.packets[2...]) == Array(linear.packets[30...]))
    }

    @Test("A short last packet follows the end of the track, and its bytes are kept", arguments: [0, 3000])
    func shortPacket(trailingBytes: Int) {
        let file = MP4Case(fragmented: "") { ($0.lastDuration, $0.trailingBytes) = (1000, trailingBytes) }
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(whole.payloads == file.payloads)
        #expect(whole.packets.map(\.offset) == file.offsets)
        #expect(whole.tracks.last?.end == 40_936)
        #expect(whole.events.last == whole.packets.last.map(ContainerEvent.packet))
        let bytewise = MP4Driver.outcome(MP4Parser(), file.bytes, cutInto: 1)
        #expect(bytewise.events == whole.events && bytewise.points == whole.points)
    }

    @Test("A short last packet of a fragment is whole if another fragment follows")
    func shortPacketInside() {
        let file = MP4Case(fragmented: "") { ($0.packetsPerFragment, $0.packetsPerRun, $0.drift) = (1, 1, -60) }
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(whole.payloads == file.payloads)
        #expect(whole.packets.map(\.frame) == file.numbers.map { Int64($0) * 1024 })
        #expect(whole.points.compactMap { $0?.frame } == whole.packets.compactMap(\.frame))
        #expect(whole.tracks.count == 1)
    }
}
