// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import CodecTestSupport

@Suite("Reading a track from its start")
struct ArrivalTests {
    @Test("All frames equal those of a linear decode, and none is lost or added", arguments: TrackFileCase.allCases)
    func whole(format: TrackFileCase) throws {
        let file = try format.file()
        let reader = file.reader()

        let reading = reader.read()

        #expect(reading.end == .ended && reading.isUnbroken)
        #expect(reading.runs.map(\.frames) == file.parts.map { Int($0.frames) })
        #expect(file.isWhole(reading))
        #expect(reader.timeline?.duration == .exact(file.duration))
        #expect(reader.damage == nil && reader.timeline?.shortfall == nil)
        #expect(reader.isWholeIndexed && !reader.isBeyondEnd)
    }

    @Test("Bytes that arrive in random pieces give the same frames", arguments: TrackFileCase.allCases)
    func pieces(format: TrackFileCase) throws {
        let file = try format.file()
        var random = SeededGenerator(seed: UInt64(format.rawValue.utf8.count))
        let knowsTotal = Bool.random(using: &random)
        let source = MemoryByteSource(file.bytes, held: 0, knowsTotal: knowsTotal, longestRead: 30_000)
        let reader = file.reader(source)
        let reading = reader.read {
            source.release(more: .random(in: 1...40_000, using: &random))
            if Bool.random(using: &random) { _ = reader.survey(isSoundDue: false) }
            return true
        }
        #expect(file.isWhole(reading))
    }

    @Test("The first bytes of a short file arrive one at a time", arguments: TrackFileCase.allCases)
    func bytes(format: TrackFileCase) throws {
        let file = try format.shortFile()
        let source = MemoryByteSource(file.bytes, held: 0)
        let reader = file.reader(source)
        let reading = reader.read {
            source.release(more: source.held < 6000 ? 1 : 2000)
            return true
        }
        #expect(file.isWhole(reading))
    }

    @Test(
        "The last packet of fragments is as short as declared while the file arrives", arguments: [true, false],
        [true, false])
    func shortFragment(hasRandomAccess: Bool, knowsTotal: Bool) throws {
        let rest = hasRandomAccess ? BoxWriter.box("mfra", [0, 0, 0, 0]) : []
        let file = try Self.shortFragments(before: rest)
        let source = MemoryByteSource(file.bytes, held: 3000, knowsTotal: knowsTotal)

        let reading = file.reader(source).read {
            source.release(more: 700)
            return true
        }

        #expect(file.isWhole(reading), "\(reading.place)")
    }

    @Test("The last packet of fragments is as short as declared before data of other tracks", arguments: [true, false])
    func shortFragmentBeforeOthers(isSurveyed: Bool) throws {
        for rest in [[], BoxWriter.box("free", [UInt8](repeating: 0, count: 3000)), [UInt8](repeating: 7, count: 99)] {
            let file = try Self.shortFragments(before: rest, trailingBytes: 2000)
            let source = MemoryByteSource(file.bytes, held: 3000)
            let reader = file.reader(source)

            let reading = reader.read {
                source.release(more: 700)
                if isSurveyed { _ = reader.indexMore() }
                return true
            }

            #expect(file.isWhole(reading), "\(reading.place), \(rest.count) bytes")
        }
    }

    /// Returns fragments whose last packet is declared 24 frames shorter than it decodes.
    private static func shortFragments(before rest: [UInt8], trailingBytes: Int = 0) throws -> TrackFile {
        let stream = try AACPackets(core: 48000, channels: 1, count: 203, seed: 5)
        var builder = FragmentBuilder(stream.packets.map(\.bytes))
        builder.entry = BoxWriter.soundEntry("mp4a", BoxWriter.esds(AACPackets.config(48000, 1, .none)))
        (builder.timescale, builder.lastDuration, builder.trailingBytes) = (48000, 1000, trailingBytes)
        let part = try TrackFile.Part(
            .aac(stream.config.withoutSBR), stream.config.format, stream.packets, start: 1024, end: 202 * 1024 + 1000)
        return TrackFile(.mp4, builder.build().bytes + rest, part)
    }

    @Test(
        "A server that sends any range is asked for the next byte needed",
        arguments: [TrackFileCase.aac, .aacLast, .aacFragments, .vorbis, .chain])
    func ranges(format: TrackFileCase) throws {
        let file = try format.file()
        let source = MemoryByteSource(file.bytes, held: 0)
        let reader = file.reader(source)
        var stalls = 0
        let reading = reader.read {
            let missing = Int(source.downloadProgress.extents.contiguousEnd(from: reader.readOffset))
            guard missing < file.bytes.count else { return false }
            let wanted = Int(reader.wantedOffset)
            // A table may be requested ahead of the sound; the next byte of the sound follows.
            let offset = source.downloadProgress.extents.contains(Int64(wanted)..<Int64(wanted) + 1) ? missing : wanted
            stalls += 1
            source.release(offset..<offset + 50_000)
            return stalls < 1000
        }
        #expect(file.isWhole(reading))
    }
}
