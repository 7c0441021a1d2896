// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport
@testable import TrackReading

/// The numbers of the packets begin again in each stream, and only its start distinguishes it from the one before.
@Suite("Seeks in joined files")
struct JoinedFileTests {
    enum Format: String, CaseIterable, Sendable, CustomStringConvertible {
        case opus = "Opus with one serial number"
        case vorbis = "Vorbis with one serial number"
        case flac = "FLAC"
        case statedFLAC = "FLAC that states its length"

        var description: String { rawValue }

        /// Returns two files of different lengths, of about half a minute, joined in this order or the other one.
        func file(isLongFirst: Bool = true) throws -> TrackFile {
            let versions = try versions()
            let files = isLongFirst ? [versions.second, versions.first] : [versions.first, versions.second]
            return TrackFile(joining: self == .statedFLAC ? files.map { JoinedFileTests.stating($0) } : files)
        }

        private func versions() throws -> EpisodeVersions {
            switch self {
            case .opus: try EpisodeVersions.opus()
            case .vorbis: try EpisodeVersions.vorbis()
            case .flac, .statedFLAC: try EpisodeVersions.flac()
            }
        }
    }

    /// Returns a FLAC file whose STREAMINFO, after the marker and the header of its block, states the number of its
    /// frames, and the length of the longest packet; 0 if that is unknown.
    static func stating(_ file: TrackFile, longestPacket: UInt32 = 0) -> TrackFile {
        var bytes = file.bytes
        bytes.replaceSubrange(15..<18, with: longestPacket.bigEndianBytes.dropFirst())
        bytes.replaceSubrange(22..<26, with: UInt32(file.parts[0].frames).bigEndianBytes)
        return TrackFile(file.kind, bytes, file.parts[0])
    }

    /// The length of a packet of stored samples, with its header.
    private static let storedPacket: UInt32 = 4096 * 12 / 8 + 64

    /// Returns true if the frames from `time` on equal those of a linear decode, also beyond the end of a part.
    static func matches(_ reading: Reading, _ file: TrackFile, from time: Duration) -> Bool {
        let place = file.place(at: time)
        let start = Int(file.parts[..<place.part].reduce(place.frame) { $0 + $1.frames })
        let samples = file.parts.flatMap(\.samples)
        guard let found = reading.time, abs((found - place.time) / .nanoseconds(1)) < 100, reading.frames >= 3000,
            start + reading.frames <= samples.count
        else { return false }
        return file.accuracy.accepts(reading.samples, samples[start..<start + reading.frames])
    }

    private static func targets(_ file: TrackFile) -> [Duration] {
        let border = file.parts[0].duration
        let near = [-2000, -30, 0, 1, 40, 5000].map { border + Duration.milliseconds($0) }
        return near + [file.duration - .seconds(4), .seconds(3), border + .seconds(10), .seconds(20)]
    }

    @Test("Each target of a complete file is exact", arguments: Format.allCases, [true, false])
    func complete(format: Format, isLongFirst: Bool) throws {
        let file = try format.file(isLongFirst: isLongFirst)
        let used = file.reader()
        for target in Self.targets(file) {
            for reader in [file.reader(), used] {
                reader.seek(to: .time(target))
                let reading = reader.read(enough: 3000)
                #expect(Self.matches(reading, file, from: target), "\(target): \(reading.place)")
            }
        }
        used.seek(to: .time(.zero))
        let reading = used.read()
        #expect(reading.end == .ended && Int64(reading.frames) == file.frames)
        #expect(Self.matches(reading, file, from: .zero))
    }

    @Test("Targets in the part that has arrived are exact", arguments: Format.allCases)
    func arrived(format: Format) throws {
        let file = try format.file()
        for target in Self.targets(file) where target < file.parts[0].duration + .seconds(12) {
            let reader = file.reader(MemoryByteSource(file.bytes, held: file.bytes.count * 7 / 8))
            reader.seek(to: .time(target))
            let reading = reader.read(enough: 3000)
            #expect(Self.matches(reading, file, from: target), "\(target): \(reading.place)")
        }
    }

    @Test("A start in a growing file is exact", arguments: Format.allCases)
    func growing(format: Format) throws {
        let file = try format.file()
        for target in Self.targets(file) {
            let source = MemoryByteSource(file.bytes, held: 2000, bytesPerSecond: 1e9)
            let reader = file.reader(source, TrackSection(start: .time(target)))
            let reading = reader.read(enough: 3000) { source.releaseMore() }
            #expect(Self.matches(reading, file, from: target), "\(target): \(reading.place)")
        }
    }

    @Test("A start after the length that FLAC states waits for the streams in between")
    func missing() throws {
        let file = try Format.statedFLAC.file()
        for target in Self.targets(file) where target >= file.parts[0].duration {
            let source = MemoryByteSource(file.bytes, held: file.bytes.count / 16, bytesPerSecond: 1000)
            let reader = file.reader(source, TrackSection(start: .time(target)))
            let reading = reader.read(enough: 3000) { source.serve(reader) }
            #expect(Self.matches(reading, file, from: target), "\(target): \(reading.place)")
        }
    }

    @Test(
        "A FLAC file that is longer than its first stream can be is read in order, with and without its longest packet",
        arguments: [(storedPacket, 8), (0, 7)])
    func longFile(longestPacket: UInt32, others: Int) throws {
        let versions = try EpisodeVersions.flac()
        let first = Self.stating(versions.second, longestPacket: longestPacket)
        let file = TrackFile(joining: [first] + [TrackFile](repeating: versions.first, count: others))
        let source = MemoryByteSource(file.bytes, held: file.bytes.count / 64, bytesPerSecond: 1000)
        let reader = file.reader(source, TrackSection(start: .time(.seconds(30))))

        let reading = reader.read(enough: 3000) { source.serve(reader) }

        #expect(Self.matches(reading, file, from: .seconds(30)), "\(reading.place)")
        guard case .estimated? = reader.timeline?.duration else {
            Issue.record("the duration is \(String(describing: reader.timeline?.duration))")
            return
        }
    }

    /// Returns a FLAC file that states a longest packet of so many per cent of the mean length.
    private static func stating(_ file: TrackFile, longestPacketPercentage: Int) -> TrackFile {
        let mean = file.bytes.count * 4096 / Int(file.parts[0].frames)
        return stating(file, longestPacket: UInt32(mean * longestPacketPercentage / 100))
    }

    @Test("A search in FLAC stays in the first stream", arguments: [(true, 150, 30), (false, 300, 25)])
    func shortFile(isLongFirst: Bool, longestPacketPercentage: Int, seconds: Int) throws {
        let versions = try EpisodeVersions.flac()
        let files = isLongFirst ? [versions.second, versions.first] : [versions.first, versions.second]
        let first = Self.stating(files[0], longestPacketPercentage: longestPacketPercentage)
        let file = TrackFile(joining: [first, files[1]])
        let source = MemoryByteSource(file.bytes, held: file.bytes.count / 64, bytesPerSecond: 1000)
        let target = Duration.seconds(seconds)
        let reader = file.reader(source, TrackSection(start: .time(target)))

        let reading = reader.read(enough: 3000) { source.serve(reader) }

        #expect(Self.matches(reading, file, from: target), "\(reading.place)")
    }

    @Test("A complete FLAC file is searched also if it states too short a longest packet")
    func wrongLongestPacket() throws {
        let file = Self.stating(try EpisodeVersions.flac().second, longestPacketPercentage: 67)
        let reader = file.reader(TrackSection(start: .time(.seconds(30))))

        // There are 351 packets before the target.
        let reading = reader.read(enough: 3000, steps: 300)

        #expect(Self.matches(reading, file, from: .seconds(30)), "\(reading.place)")
    }

    @Test("Long tags after a FLAC file are not another stream")
    func longTags() throws {
        let stream = Self.stating(try EpisodeVersions.flac().second, longestPacket: Self.storedPacket)
        let bytes = stream.bytes + [UInt8](repeating: 0, count: 1_200_000)
        let reader = TrackFile(.flac, bytes, stream.parts[0]).reader()

        let reading = reader.read(enough: Int(stream.parts[0].frames) - 20_000)

        #expect(reading.end == .progressed)
        #expect(reader.timeline?.duration == .declared(stream.duration))
    }

    @Test("Fractions count from the duration of all streams", arguments: Format.allCases, [0.3, 0.75])
    func fractions(format: Format, part: Double) throws {
        let file = try format.file()
        let reading = file.reader(TrackSection(start: .fraction(part))).read(enough: 3000)
        #expect(Self.matches(reading, file, from: file.duration * part), "\(reading.place)")
        let end = file.reader(TrackSection(end: .fraction(part))).read()
        #expect(abs(Double(end.frames) - Double(file.frames) * part) <= 2)
    }

    @Test("FLAC ends before a target after the length it states, unless another stream has arrived")
    func ends() throws {
        let file = try Format.statedFLAC.file()
        let target = TimeTarget.time(.seconds(45))
        for (held, isRefused) in [(file.bytes.count / 4, true), (file.bytes.count * 3 / 4, false)] {
            let reader = file.reader(MemoryByteSource(file.bytes, held: held))
            _ = reader.read(enough: 1)
            let ends = reader.ends(before: target)
            #expect(ends == isRefused)
        }
        let single = Self.stating(try EpisodeVersions.flac().second).reader()
        _ = single.read(enough: 1)
        let ends = single.ends(before: target)
        #expect(ends == true)
    }

    @Test("The search for another stream of FLAC before a target after the length it states takes several calls")
    func endsAfterSteps() throws {
        let stream = Self.stating(try EpisodeVersions.flac().second)
        // After these, the last packet is not found near the end of the file.
        let bytes = stream.bytes + [UInt8](repeating: 0, count: 300_000)
        let file = TrackFile(.flac, bytes, stream.parts[0])
        let reader = try #require(file.reader() as? ContainerTrackReader)
        reader.nextStream = StreamSearch(.flac, stepLength: 1)
        _ = reader.read(enough: 1)
        let first = reader.ends(before: .time(.seconds(45)))
        var (last, calls) = (first, 1)
        while last == nil, calls < 1000 { (last, calls) = (reader.ends(before: .time(.seconds(45))), calls + 1) }
        #expect(first == nil && last == true)
    }

    @Test("A target that waits for the search for another stream waits for no other bytes")
    func pendingTarget() throws {
        let file = Self.stating(try EpisodeVersions.flac().second)
        let source = MemoryByteSource(file.bytes, held: file.bytes.count * 5 / 8, bytesPerSecond: 1000)
        let reader = try #require(file.reader(source) as? ContainerTrackReader)
        _ = reader.read(enough: 1)
        reader.seek(to: .time(.seconds(36)))
        let ahead = reader.read(enough: 1)
        #expect(ahead.end == .notYetAvailable && ahead.frames == 0)
        reader.nextStream = StreamSearch(.flac, stepLength: 1)

        reader.seek(to: .fraction(0.25))
        let reading = reader.read(enough: 3000)

        #expect(Self.matches(reading, file, from: file.duration * 0.25), "\(reading.place)")
    }

    @Test("A start across two blocks of the search is found")
    func blocks() {
        for place in (256 << 10) - 9...(256 << 10) + 3 {
            let source = MemoryByteSource([UInt8](repeating: 0, count: place) + FLACWriter().head)
            var search = StreamSearch(.flac)
            let outcome = search.findStart(after: 0, in: source)
            #expect(outcome == .found && search.start == Int64(place))
        }
    }

    @Test("Many bytes are searched in several steps")
    func steps() {
        let place = 20 << 20
        let source = MemoryByteSource([UInt8](repeating: 0, count: place) + FLACWriter().head)
        var search = StreamSearch(.flac)
        let outcomes = (0..<4).map { _ in search.findStart(after: 0, in: source) }
        #expect(outcomes == [.unfinished, .unfinished, .found, .found])
    }
}

extension TrackFile {
    /// The frames of all parts.
    fileprivate var frames: Int64 { parts.reduce(0) { $0 + $1.frames } }
}
