// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport

@Suite("MP4 parser: seeking")
struct MP4SeekTests {
    /// Returns the packets that follow a change of position, and their payloads.
    private func rest(
        of file: MP4Case, after packets: Int, _ move: (inout any ContainerParser) -> Bool
    ) -> (packets: [AudioPacket], payloads: [[UInt8]])? {
        var driver = MP4Driver(MP4Parser(), file.bytes) { 97 }
        driver.run(packets: packets)
        let count = driver.outcome.payloads.count
        guard move(&driver.parser) else { return nil }
        driver.run()
        return (Array(driver.outcome.packets[count...]), Array(driver.outcome.payloads[count...]))
    }

    @Test(
        "A seek continues with the packet before that of the frame, as a linear read returns it",
        arguments: MP4Case.whole)
    func seek(file: MP4Case) throws {
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<12 {
            let frame = Int64.random(in: 0..<Int64(file.payloads.count) * 1024, using: &generator)
            let after = Int.random(in: 1...file.payloads.count, using: &generator)
            let moved = rest(of: file, after: after) { $0.seek(to: frame) }
            let rest = try #require(moved)
            let first = Int(max(0, frame - 1024) / 1024)
            #expect(rest.packets == Array(whole.packets[first...]))
            #expect(rest.payloads == Array(whole.payloads[first...]))
        }
    }

    @Test("A seek in fragments reaches every frame that was read before", arguments: MP4Case.fragmented)
    func seekInFragments(file: MP4Case) throws {
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        var generator = SeededGenerator(seed: 6)
        for _ in 0..<12 {
            let packet = try #require(whole.packets.randomElement(using: &generator))
            let frame = try #require(packet.frame)
            let rest = rest(of: file, after: file.payloads.count) { $0.seek(to: frame) }
            let first = try #require(whole.packets.firstIndex { ($0.frame ?? 0) + 1024 > max(0, frame - 1024) })
            #expect(rest?.packets == Array(whole.packets[first...]))
            #expect(rest?.payloads == Array(whole.payloads[first...]))
        }
    }

    @Test("A seek beyond the tables fails and keeps the position", arguments: MP4Case.all)
    func seekBeyond(file: MP4Case) throws {
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        for frame in [Int64(file.payloads.count + 10) * 1024, .max, -1] {
            var driver = MP4Driver(MP4Parser(), file.bytes)
            driver.run(packets: 1)
            #expect(driver.parser.seek(to: frame) == false)
            driver.run()
            #expect(driver.outcome.packets == whole.packets)
        }
    }

    @Test("A parser resumes at the point of every packet", arguments: MP4Case.all)
    func resume(file: MP4Case) throws {
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        for index in stride(from: 0, to: file.payloads.count, by: 3) {
            let point = try #require(whole.points[index])
            let rest = rest(of: file, after: 1) {
                $0.resume(at: point)
                return true
            }
            #expect(rest?.packets == Array(whole.packets[index...]))
        }
    }

    @Test("The fragments keep their numbers after a jump back into the table of moov", arguments: [1, 12, 30, 40])
    func jumpBackFromFragments(after: Int) throws {
        let file = MP4Case(fragmentsAfter: 10)
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        #expect(whole.packets.map(\.frame) == (0..<40).map { Int64($0) * 1024 })
        #expect(whole.payloads == file.payloads)
        let sought = rest(of: file, after: after) { $0.seek(to: 3 * 1024) }
        #expect(sought?.packets == Array(whole.packets[2...]))
        let point = try #require(whole.points[4])
        let resumed = rest(of: file, after: after) {
            $0.resume(at: point)
            return true
        }
        #expect(resumed?.packets == Array(whole.packets[4...]))
    }

    @Test("The packets of the table are found by an offset also if fragments follow", arguments: [300, 550, 599])
    func synchronizeBeforeFragments(index: Int) {
        let file = MP4Case(fragmentsAfter: 600, count: 640)
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        let rest = rest(of: file, after: 640) {
            $0.synchronize(from: file.offsets[index])
            return true
        }
        #expect(rest?.packets == Array(whole.packets[index...]))
    }

    @Test("A parser finds the first packet at or after an offset", arguments: MP4Case.whole)
    func synchronize(file: MP4Case) throws {
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        for index in stride(from: 0, to: file.payloads.count, by: 7) {
            let rest = rest(of: file, after: 1) {
                $0.synchronize(from: file.offsets[index] - (index > 0 ? 1 : 0))
                return true
            }
            #expect(rest?.packets == Array(whole.packets[index...]))
        }
    }

    @Test("A parser finds the first fragment after an offset, and its time makes the frame exact")
    func synchronizeFragments() throws {
        let file = MP4Case(fragmented: "", count: 60) { $0.gaps = [3: 4096] }
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes)
        for index in [1, 4, 6, 21, 33] {
            let rest = rest(of: file, after: 1) {
                $0.synchronize(from: file.offsets[index])
                return true
            }
            #expect(
                rest?.packets == Array(whole.packets[((index + 4) / 5 * 5)...].drop { $0.offset < file.offsets[index] })
            )
        }
    }

    @Test("The frame after a jump is unknown if fragments state no times")
    func synchronizeWithoutTimes() throws {
        let file = MP4Case(fragmented: "") { $0.hasDecodeTime = false }
        let moved = rest(of: file, after: 1) {
            $0.synchronize(from: file.offsets[12])
            return true
        }
        let rest = try #require(moved)
        #expect(rest.packets.count == 25)
        #expect(rest.packets.allSatisfy { $0.frame == nil })
    }

    @Test("An index of fragments leads to frames that were not read")
    func segmentIndex() throws {
        let file = MP4Case(fragmented: "", count: 4000) { ($0.hasSegmentIndex, $0.packetsPerFragment) = (true, 50) }
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.run(packets: 1)
        #expect(driver.parser.length == .declared(4000 * 1024))
        let before = driver.outcome.appended
        #expect(driver.parser.seek(to: 3000 * 1024) == true)
        driver.run(packets: 2)
        #expect(driver.outcome.packets.last?.frame == Int64(2999 * 1024))
        #expect(driver.outcome.packets.last?.offset == file.offsets[2999])
        #expect(driver.outcome.appended - before < 64 << 10)
        let place = try #require(driver.parser.offset(ofFrame: 2000 * 1024))
        #expect(abs(place - file.offsets[2000]) < 20_000)
    }

    @Test("An index before each fragment states no length: it is estimated from the indexed bytes")
    func indexOfEach() throws {
        let file = MP4Case(fragmented: "", count: 4000) { ($0.hasIndexOfEach, $0.packetsPerFragment) = (true, 2000) }
        var driver = MP4Driver(MP4Parser(), file.bytes)
        driver.parser.totalLength = Int64(file.bytes.count)
        driver.run(packets: 1)
        guard case .estimated(let frames) = driver.parser.length else {
            Issue.record("\(driver.parser.length)")
            return
        }
        #expect(abs(Double(frames) / (4000 * 1024) - 1) < 0.2)
        driver.run()
        #expect(driver.outcome.packets.count == 4000)
    }

    @Test("After the end of a file was seen, a seek back still works")
    func seekAfterEnd() throws {
        let file = MP4Case("")
        var driver = MP4Driver(MP4Parser(), Array(file.bytes.dropLast(50)))
        driver.run()
        #expect(driver.parser.isDone)
        let count = driver.outcome.payloads.count
        #expect(driver.parser.seek(to: 3 * 1024) == true)
        #expect(!driver.parser.isDone)
        driver.run(packets: count + 1)
        #expect(driver.outcome.packets.last?.frame == Int64(2048))
        // The table lists the lost packet, so the seek succeeds and the stream ends.
        #expect(driver.parser.seek(to: 39 * 1024 + 5) == true)
        driver.run()
        #expect(driver.parser.isDone)
    }
}
