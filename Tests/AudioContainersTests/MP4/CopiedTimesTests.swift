// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Testing

@testable import CodecTestSupport

/// Files of packets that follow each other, whose times are in milliseconds, as a copy from Matroska leaves them. Those
/// of live recordings are uneven.
enum CopiedTimes: CaseIterable, Sendable {
    case flac, opus, shortOpus, forcedOpus, forcedShortOpus, unevenOpus, opusFragments, unevenFragments

    /// The number of packets: those of FLAC are long.
    private var count: Int { self == .flac ? 40 : 200 }

    /// The frames of each packet.
    var frames: Int64 {
        switch self {
        case .flac: 4096
        case .opus, .unevenOpus, .opusFragments, .unevenFragments: 960
        case .shortOpus: 120
        case .forcedOpus: 480
        case .forcedShortOpus: 240
        }
    }

    /// The first frames of the packets.
    var starts: [Int64] { (0..<Int64(count)).map { $0 * frames } }

    /// The stated durations.
    private var durations: [Int] {
        switch self {
        case .flac: return Self.durations(between: (0...count).map { $0 * 4096 })
        // The first time is −6.5 ms, rounded to −7.
        case .opus, .opusFragments: return [1008] + Array(repeating: 960, count: count - 1)
        case .shortOpus: return (0..<count).map { $0.isMultiple(of: 2) ? 144 : 96 }
        // The first times of GStreamer are 0, and FFmpeg makes them ascend.
        case .forcedOpus: return [1, 959] + Array(repeating: 480, count: count - 2)
        case .forcedShortOpus: return [1, 1, 718] + Array(repeating: 240, count: count - 3)
        // Up to 10 ms earlier and later, and right at both ends.
        case .unevenOpus, .unevenFragments:
            var times = (0..<count).map { (packet: Int) -> Int in
                let milliseconds = (packet * 8 + 10) % 21 - 10
                return packet * 960 + milliseconds * 48
            }
            // Three packets arrive together, and FFmpeg makes their times ascend.
            if self == .unevenOpus { times.replaceSubrange(50...51, with: [times[52] - 2, times[52] - 1]) }
            times.append(count * 960)
            return zip(times, times.dropFirst()).map { $1 - $0 }
        }
    }

    /// Returns the durations between times at 44.1 kHz that were rounded to milliseconds.
    static func durations(between times: [Int]) -> [Int] {
        let rounded = times.map { ($0 * 1000 + 22_050) / 44_100 }.map { ($0 * 441 + 5) / 10 }
        return zip(rounded, rounded.dropFirst()).map { $1 - $0 }
    }

    private var payloads: [[UInt8]] {
        switch self {
        case .flac: writer.packets
        case .opus, .unevenOpus, .opusFragments, .unevenFragments:
            OpusStream(packets: stream(configuration: 9)).payloads
        case .shortOpus: OpusStream(packets: stream(configuration: 16)).payloads
        case .forcedOpus: OpusStream(packets: stream(configuration: 18)).payloads
        case .forcedShortOpus: OpusStream(packets: stream(configuration: 17)).payloads
        }
    }

    private func stream(configuration: Int) -> [(configuration: Int, count: Int)] {
        Array(repeating: (configuration, 1), count: count)
    }

    private var writer: FLACWriter { FLACWriter(blockSize: 4096, frames: 4096 * count) }

    private var entry: [UInt8] { self == .flac ? Self.entry(of: writer) : Self.opusEntry }

    static let opusEntry = BoxWriter.soundEntry(
        "Opus", BoxWriter.box("dOps", [0, 2, 1, 56] + BoxWriter.u32(48000) + [0, 0, 0]))

    static func entry(of writer: FLACWriter) -> [UInt8] {
        let block = FLACWriter.block(0, writer.streamInfo, isLast: true)
        return BoxWriter.soundEntry("fLaC", BoxWriter.full("dfLa", block))
    }

    /// Returns the runs of equal durations, as tables list them.
    static func runs(of durations: [Int]) -> [(count: Int, duration: Int)] {
        var runs: [(count: Int, duration: Int)] = []
        for duration in durations {
            if runs.last?.duration != duration { runs.append((count: 0, duration: duration)) }
            runs[runs.count - 1].count += 1
        }
        return runs
    }

    /// - Parameters:
    ///   - lost: the number of a packet that is stated longer, because others are missing after it.
    ///   - missing: the frames of those.
    func bytes(lossAfter lost: Int? = nil, of missing: Int64 = 4800) -> [UInt8] {
        var durations = durations
        if let lost { durations[lost] += Int(missing) }
        guard self != .opusFragments, self != .unevenFragments else {
            var builder = FragmentBuilder(payloads)
            (builder.entry, builder.timescale, builder.edits) = (entry, 48000, nil)
            for (number, duration) in durations.enumerated() { builder.durations[number] = duration }
            return builder.build().bytes
        }
        var builder = MP4Builder(payloads)
        (builder.entry, builder.timescale, builder.edits) = (entry, self == .flac ? 44100 : 48000, nil)
        builder.times = Self.runs(of: durations)
        return builder.build().bytes
    }
}

extension OpusStream {
    fileprivate var payloads: [[UInt8]] { packets.indices.map { packet($0) } }
}

extension MP4Driver {
    /// Checks that the packets after a seek have the numbers of a linear read, from one at or before the target on.
    static func checkSeek(to frame: Int64, in bytes: [UInt8], startsOfPackets expected: [Int64]) throws {
        var driver = MP4Driver(MP4Parser(), bytes)
        driver.run(packets: 1)
        let hasMoved = driver.parser.seek(to: frame)
        #expect(hasMoved)
        driver.run()
        let starts = driver.outcome.packets.dropFirst().compactMap(\.frame)
        #expect(starts == Array(expected.suffix(starts.count)))
        #expect(try #require(starts.first) <= frame)
    }
}

@Suite("MP4 parser: times copied from Matroska")
struct CopiedTimesTests {
    @Test("Packets follow each other in the lengths that they state", arguments: CopiedTimes.allCases)
    func linear(file: CopiedTimes) {
        let packets = MP4Driver.outcome(MP4Parser(), file.bytes()).packets
        #expect(packets.compactMap(\.frame) == file.starts)
        #expect(packets.allSatisfy { $0.frames == file.frames })
    }

    @Test(
        "After a seek, packets have the numbers of a linear read",
        arguments: [CopiedTimes.flac, .opus, .shortOpus, .forcedOpus, .forcedShortOpus, .unevenOpus])
    func seek(file: CopiedTimes) throws {
        let bytes = file.bytes()
        let last = try #require(file.starts.last)
        for frame in stride(from: last / 9, to: last, by: Int(last / 9)) {
            try MP4Driver.checkSeek(to: frame, in: bytes, startsOfPackets: file.starts)
        }
    }

    @Test("After a seek into the second part of joined FLAC, packets have its times, rounded to milliseconds")
    func seekInJoinedFLAC() {
        // The last packet of the first part is shorter.
        let starts = (0...41).map { (packet: Int) -> Int in packet * 4608 - (packet > 20 ? 552 : 0) }
        let parts = [20 * 4608 + 4056, 20 * 4608].map { FLACWriter(blockSize: 4608, frames: $0) }
        var builder = MP4Builder(parts.flatMap(\.packets))
        (builder.entry, builder.edits) = (CopiedTimes.entry(of: parts[0]), nil)
        builder.times = CopiedTimes.runs(of: CopiedTimes.durations(between: starts))
        var driver = MP4Driver(MP4Parser(), builder.build().bytes)
        driver.run(packets: 1)
        let hasMoved = driver.parser.seek(to: 138_000)
        driver.run()

        let found = driver.outcome.packets.dropFirst().compactMap(\.frame)
        #expect(hasMoved && found.count > 10)
        let errors = zip(found, starts.dropLast().suffix(found.count)).map { abs($0 - Int64($1)) }
        #expect(errors.allSatisfy { $0 < 45 }, "\(errors)")
    }

    @Test("After a jump, packets of changing length keep their exact times, also if the track ends inside the last one")
    func jumpInChangingLengths() {
        let stream = OpusStream(packets: (0..<20).map { (configuration: 9, count: $0 % 2 + 1) })
        var builder = MP4Builder(stream.payloads)
        (builder.entry, builder.timescale) = (CopiedTimes.opusEntry, 48000)
        let durations = stream.packets.dropLast().map { $0.count * 960 } + [700]
        builder.times = CopiedTimes.runs(of: durations)
        let bytes = builder.build().bytes
        let packets = MP4Driver.outcome(MP4Parser(), bytes).packets
        #expect(packets.prefix(4).compactMap(\.frame) == [0, 960, 2880, 3840])
        var driver = MP4Driver(MP4Parser(), bytes)
        driver.run(packets: 1)
        driver.parser.synchronize(from: packets[3].offset)
        driver.run()
        #expect(Array(driver.outcome.packets.dropFirst()) == Array(packets[3...]))
    }

    @Test("A parser resumes at the point of a packet with its number", arguments: CopiedTimes.allCases)
    func resume(file: CopiedTimes) throws {
        let whole = MP4Driver.outcome(MP4Parser(), file.bytes())
        for number in [1, 7, 33] {
            var driver = MP4Driver(MP4Parser(), file.bytes())
            driver.run(packets: 1)
            driver.parser.resume(at: try #require(whole.points[number]))
            driver.run()
            #expect(Array(driver.outcome.packets.dropFirst()) == Array(whole.packets[number...]))
        }
    }

    @Test("A packet that is stated much longer than it is precedes a loss", arguments: CopiedTimes.allCases)
    func loss(file: CopiedTimes) {
        let starts = MP4Driver.outcome(MP4Parser(), file.bytes(lossAfter: 20)).packets.compactMap(\.frame)
        #expect(Array(starts[...20]) == Array(file.starts[...20]))
        #expect(starts[21] - starts[20] > file.frames + 4000)
    }

    @Test(
        "The loss of one packet is a hole if the times are even or the packet is long",
        arguments: [CopiedTimes.opus, .flac])
    func lossOfOnePacket(file: CopiedTimes) {
        let bytes = file.bytes(lossAfter: 20, of: file.frames)
        let starts = MP4Driver.outcome(MP4Parser(), bytes).packets.compactMap(\.frame)
        #expect(Array(starts[...20]) == Array(file.starts[...20]))
        // Times are rounded to milliseconds.
        #expect(abs(starts[21] - starts[20] - 2 * file.frames) < 45)
    }

    @Test("The stated frames are those of the table")
    func statedFrames() {
        var driver = MP4Driver(MP4Parser(), CopiedTimes.opus.bytes())
        driver.run(packets: 1)
        #expect(driver.parser.statedFrames == 192_048)
    }
}
