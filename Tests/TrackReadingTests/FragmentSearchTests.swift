// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport
@testable import TrackReading

@Suite("Searches in fragments")
struct FragmentSearchTests {
    private static let packetsPerFragment = 94

    /// Returns fragments of 2 s, with 120 kB of picture before the sound.
    /// - Parameter movieDuration: the duration in milliseconds that the file states; 0 for none.
    private static func video(_ count: Int, seed: UInt64 = 5, movieDuration: Int = 0) throws -> [UInt8] {
        let stream = try AACPackets(core: 48000, channels: 2, count: packetsPerFragment, seed: seed)
        let sound = stream.packets.map(\.bytes)
        var builder = FragmentBuilder([[[UInt8]]](repeating: sound, count: count).flatMap { $0 })
        builder.movieDuration = movieDuration
        builder.entry = BoxWriter.soundEntry("mp4a", BoxWriter.esds(AACPackets.config(48000, 2, .none)))
        builder.timescale = 48000
        (builder.packetsPerFragment, builder.packetsPerRun) = (packetsPerFragment, packetsPerFragment)
        builder.leadingBytes = 120_000
        return builder.build().bytes
    }

    @Test("A search in a video with fragments ends less than two fragments before its target")
    func soundAfterPicture() throws {
        let source = MemoryByteSource(try Self.video(60))
        for target in stride(from: 10.0, to: 118, by: 0.5) {
            let reader = ContainerTrackReader(.mp4, source)
            _ = reader.read(enough: 1)
            reader.seek(to: .time(.seconds(target)))
            var (hasSearched, steps) = (false, 0)
            while reader.step() == .progressed, reader.block.frames == 0 {
                switch reader.goal {
                case .search: hasSearched = true
                case .reach where hasSearched: steps += 1
                case .land, .reach, .play, .end: break
                }
            }
            #expect(hasSearched && reader.block.frames > 0, "\(target)")
            // One step for each packet, and some to read bytes.
            #expect(steps < 2 * Self.packetsPerFragment + 40, "\(target): \(steps)")
        }
    }

    @Test("A seek in fragmented files that cat has joined plays what a linear read does", arguments: [5, 15])
    func joined(fragments: Int) throws {
        let bytes = try Self.video(fragments) + Self.video(20 - fragments, seed: 6)
        let whole = ContainerTrackReader(.mp4, MemoryByteSource(bytes)).read()
        let frames = 20 * Self.packetsPerFragment * 1024 - 1024
        let samples = whole.samples
        #expect(whole.end == .ended && whole.frames == frames)
        let used = ContainerTrackReader(.mp4, MemoryByteSource(bytes))
        for second in [15, 3, 35, 9, 39] {
            for reader in [ContainerTrackReader(.mp4, MemoryByteSource(bytes)), used] {
                reader.seek(to: .time(.seconds(second)))
                let reading = reader.read(enough: 3000)
                let expected = samples.dropFirst(second * 48_000 * 2).prefix(reading.samples.count)
                #expect(reading.time == .seconds(second) && reading.frames >= 3000)
                #expect(reading.samples == Array(expected), "\(second)")
            }
        }
        let rest = used.read()
        #expect(rest.end == .ended)
        let duration = AudioFormat(sampleRate: 48_000, channels: 2).duration(ofFrames: Int64(frames))
        #expect(used.timeline?.duration == .exact(duration))
    }

    @Test("A search for another file after the fragments takes several calls if there are many boxes")
    func manyBoxes() {
        let source = MemoryByteSource([[UInt8]](repeating: BoxWriter.box("free", []), count: 600).flatMap { $0 })
        var search = StreamSearch(.mp4)
        let outcomes = (0..<3).map { _ in search.findStart(after: 0, in: source) }
        #expect(outcomes == [.unfinished, .unfinished, .notFound])
    }

    @Test("A search for another file after many fragments continues while the next bytes are missing")
    func manyFragments() throws {
        let stream = try AACPackets(core: 48000, channels: 2, count: 400, seed: 5)
        var builder = FragmentBuilder(stream.packets.map(\.bytes))
        builder.entry = BoxWriter.soundEntry("mp4a", BoxWriter.esds(AACPackets.config(48000, 2, .none)))
        (builder.packetsPerFragment, builder.packetsPerRun) = (1, 1)
        (builder.timescale, builder.movieDuration) = (48000, 8533)
        let (bytes, _, fragments) = builder.build()
        let reader = ContainerTrackReader(.mp4, MemoryByteSource(bytes, held: fragments[390]))
        _ = reader.read()
        reader.seek(to: .fraction(0.99))

        let reading = reader.read(enough: 1)

        #expect(reading.end == .notYetAvailable)
        #expect(reader.nextStream.end == Int64(fragments[390]))
    }

    @Test("Fragmented MP4 ends before a target after the length it states, unless another file follows")
    func ends() throws {
        let file = try Self.video(5, movieDuration: 10_027)
        for (bytes, isRefused) in [(file, true), (file + file, false)] {
            let reader = ContainerTrackReader(.mp4, MemoryByteSource(bytes))
            _ = reader.read(enough: 1)
            let ends = reader.ends(before: .time(.seconds(15)))
            #expect(ends == isRefused)
        }
    }

    @Test("A search that meets another format finds a target before it")
    func otherFormat() throws {
        // The first fragment predicts that the target is near the end of the file.
        let count = Self.packetsPerFragment
        let loud = try AACPackets(core: 48000, channels: 1, count: count, ballast: 2000, seed: 5)
        let quiet = try AACPackets(core: 48000, channels: 1, count: count, seed: 6)
        let packets = loud.packets + [[CodecPacket]](repeating: quiet.packets, count: 59).flatMap { $0 }
        var builder = FragmentBuilder(packets.map(\.bytes))
        builder.entry = BoxWriter.soundEntry("mp4a", BoxWriter.esds(AACPackets.config(48000, 1, .none)))
        builder.moreEntries = [BoxWriter.soundEntry("enca", [])]
        builder.descriptions = Dictionary(uniqueKeysWithValues: (20..<60).map { ($0, 2) })
        (builder.packetsPerFragment, builder.packetsPerRun, builder.timescale) = (count, count, 48000)
        let reader = ContainerTrackReader(.mp4, MemoryByteSource(builder.build().bytes))
        _ = reader.read(enough: 60_000)
        reader.seek(to: .time(.seconds(30)))

        let reading = reader.read()

        #expect(reading.time == .seconds(30))
        let reason = "from 0:40 on, this is encrypted audio in MP4, which Earshot cannot play"
        #expect(reading.end == .failed(MediaFailure(.badData, reason)))
    }
}
