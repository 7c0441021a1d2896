// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Testing

@testable import CodecTestSupport

/// Files of Opus whose times count from the first frame that is played, as GStreamer writes them.
enum PlayedTimes: CaseIterable, Sendable {
    case table, shortPackets, shortestPackets, fragments, fragmentsOfShortPackets, copiedTimes

    /// The pre-skip in the header.
    static let preSkip: Int64 = 312

    /// The frames of each packet.
    var frames: Int {
        switch self {
        case .table, .fragments, .copiedTimes: 960
        case .shortPackets, .fragmentsOfShortPackets: 240
        case .shortestPackets: 120
        }
    }

    /// The frames of the last packet. Fragments do not state the end of the track.
    var lastFrames: Int { isFragmented ? frames : min(frames, lastDuration) }
    private var lastDuration: Int { self == .shortestPackets ? 212 : 92 }

    /// Packets of six seconds, which are more than the pre-roll.
    var count: Int { 288_000 / frames }

    var isFragmented: Bool { self == .fragments || self == .fragmentsOfShortPackets }

    /// The first frames of the packets.
    var starts: [Int64] { (0..<count).map { Int64($0 * frames) } }

    /// The stated durations of the first packets. Copied times are in milliseconds.
    private var first: [Int] {
        switch self {
        case .table, .fragments: [648]
        case .copiedTimes: [696]
        case .shortPackets, .fragmentsOfShortPackets: [0, 168]
        case .shortestPackets: [0, 0, 48]
        }
    }

    private var configuration: Int {
        switch frames {
        case 960: 9
        case 240: 17
        default: 16
        }
    }

    /// - Parameters:
    ///   - edits: the edit list: durations in ms and media times.
    ///   - movieDuration: the stated duration of all fragments in ms; 0 for none.
    func bytes(first: [Int]? = nil, edits: [(duration: Int, time: Int)]? = nil, movieDuration: Int = 0) -> [UInt8] {
        let first = first ?? self.first
        let runs: [(count: Int, duration: Int)] =
            first.map { (count: 1, duration: $0) }
            + [(count: count - first.count - 1, duration: frames), (count: 1, duration: lastDuration)]
        let durations = runs.flatMap { Array(repeating: $0.duration, count: $0.count) }
        let stream = OpusStream(packets: Array(repeating: (configuration, 1), count: count))
        let payloads = stream.packets.indices.map { stream.packet($0) }
        // The pre-skip, the sample rate and the gain are little-endian.
        let header = BoxWriter.box("dOps", [0, 2, 0x38, 0x01, 0x80, 0xBB, 0, 0, 0, 0, 0])
        guard isFragmented else {
            var builder = MP4Builder(payloads)
            (builder.entry, builder.timescale) = (BoxWriter.soundEntry("Opus", header), 48000)
            builder.edits = edits ?? [(duration: durations.reduce(0, +) / 48, time: 0)]
            builder.times = runs
            return builder.build().bytes
        }
        var builder = FragmentBuilder(payloads)
        (builder.entry, builder.timescale) = (BoxWriter.soundEntry("Opus", header), 48000)
        (builder.edits, builder.movieDuration) = (edits, movieDuration)
        for (number, duration) in durations.enumerated() { builder.durations[number] = duration }
        return builder.build().bytes
    }
}

@Suite("MP4 parser: times of Opus that omit the pre-skip")
struct OmittedPreSkipTests {
    @Test("Packets are numbered as if the times counted the pre-skip", arguments: PlayedTimes.allCases)
    func linear(file: PlayedTimes) {
        let outcome = MP4Driver.outcome(MP4Parser(), file.bytes())
        #expect(outcome.packets.compactMap(\.frame) == file.starts)
        #expect(outcome.packets.dropLast().allSatisfy { $0.frames == file.frames })
        #expect(outcome.packets.last?.frames == file.lastFrames)
        #expect(outcome.tracks.last?.start == PlayedTimes.preSkip)
        #expect(outcome.tracks.last?.end == nil)
        #expect(outcome.tracks.last?.cuts == [])
    }

    @Test(
        "After a seek, packets have the numbers of a linear read",
        arguments: [PlayedTimes.table, .shortPackets, .copiedTimes])
    func seek(file: PlayedTimes) throws {
        let bytes = file.bytes()
        for frame in stride(from: Int64(150_000), to: 287_000, by: 13_700) {
            try MP4Driver.checkSeek(to: frame, in: bytes, startsOfPackets: file.starts)
        }
    }

    @Test("A parser resumes at the point of a packet with its number", arguments: PlayedTimes.allCases)
    func resume(file: PlayedTimes) throws {
        let bytes = file.bytes()
        let whole = MP4Driver.outcome(MP4Parser(), bytes)
        for number in [1, 7, 33] {
            var driver = MP4Driver(MP4Parser(), bytes)
            driver.run(packets: 1)
            driver.parser.resume(at: try #require(whole.points[number]))
            driver.run()
            #expect(Array(driver.outcome.packets.dropFirst()) == Array(whole.packets[number...]))
        }
    }

    @Test("The stated frames are those of the table and the pre-skip")
    func statedFrames() {
        #expect(stated(first: [648], time: 0) == 287_132)
    }

    @Test(
        "The stated frames of fragments are those that are played and the pre-skip, unless the times count it",
        arguments: [(648, 48_312), (960, 48_000)] as [(Int, Int64)])
    func statedFramesOfFragments(first: Int, frames: Int64) {
        let bytes = PlayedTimes.fragments.bytes(first: [first], movieDuration: 1000)
        var driver = MP4Driver(MP4Parser(), bytes)
        driver.run(packets: 1)
        #expect(driver.parser.statedFrames == frames)
    }

    @Test(
        "A first packet that lacks something else, or whose beginning an edit list drops, has the stated duration",
        arguments: [(800, 0), (640, 0), (648, 312)])
    func otherTimes(first: Int, time: Int) {
        #expect(stated(first: [first], time: time) == Int64(first) + 298 * 960 + 92)
    }

    /// Returns the stated frames of a file whose edit list begins at a media time.
    private func stated(first: [Int], time: Int) -> Int64? {
        var driver = MP4Driver(MP4Parser(), PlayedTimes.table.bytes(first: first, edits: [(duration: 0, time: time)]))
        driver.run(packets: 1)
        return driver.parser.statedFrames
    }
}
