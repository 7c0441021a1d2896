// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport
@testable import TrackReading

@Suite("Seeks in a track")
struct SeekTests {
    /// The frames to compare after each seek. A spectrum needs more of them.
    private static func enough(_ file: TrackFile) -> Int {
        if case .spectrum = file.accuracy { 8192 } else { 3000 }
    }

    private static func targets(_ file: TrackFile, _ count: Int, seed: UInt64) -> [Duration] {
        var random = SeededGenerator(seed: seed)
        return (0..<count).map { _ in file.duration * Double.random(in: 0..<0.99, using: &random) }
    }

    @Test("Random seeks land on the exact frame", arguments: TrackFileCase.allCases)
    func random(format: TrackFileCase) throws {
        let file = try format.file()
        let reader = file.reader()
        // The other lengths of Opus packets differ from the first one only in their packets.
        let count = format == .shortOpus || format == .longOpus ? 20 : LongTests.size(40, inFull: 100)
        for (number, target) in Self.targets(file, count, seed: 11).enumerated() {
            // Every tenth seek meets a reader without an index.
            let reader = number % 10 == 0 ? file.reader() : reader
            reader.seek(to: .time(target))
            let reading = reader.read(enough: Self.enough(file))
            try #require(file.matches(reading, from: target), "\(target) \(number): \(reading.place)")
        }
    }

    @Test("The last frames equal those of a linear decode", arguments: TrackFileCase.allCases)
    func end(format: TrackFileCase) throws {
        let file = try format.file()
        let reader = file.reader()
        for distance in [Duration.seconds(2), .milliseconds(300), .milliseconds(2)] {
            reader.seek(to: .time(file.duration - distance))
            let reading = reader.read()
            let left = try #require(file.parts.last)
            #expect(reading.end == .ended)
            #expect(
                Int64(reading.frames) == left.frames - file.place(at: file.duration - distance).frame, "\(distance)")
            // A spectrum of a few frames says nothing.
            if distance > .seconds(1) { #expect(file.matches(reading, from: file.duration - distance)) }
        }
    }

    @Test("A seek to the start returns the whole file", arguments: TrackFileCase.allCases)
    func start(format: TrackFileCase) throws {
        let file = try format.shortFile()
        let reader = file.reader()
        for target in [TimeTarget.time(.zero), .time(.seconds(-3)), .fraction(0)] {
            #expect(reader.read().end == .ended)
            reader.seek(to: target)
            #expect(file.isWhole(reader.read()))
        }
    }

    @Test("A seek to the start returns the whole file if it was entered elsewhere", arguments: TrackFileCase.allCases)
    func startAfterEntry(format: TrackFileCase) throws {
        let file = try format.shortFile()
        for target in [TimeTarget.time(.zero), .time(.seconds(-3)), .fraction(0)] {
            let reader = file.reader(TrackSection(start: .time(file.duration * 0.4)))
            #expect(reader.read(enough: 1).frames > 0)
            reader.seek(to: target)
            #expect(file.isWhole(reader.read()), "\(target)")
        }
    }

    @Test("A target beyond the end plays nothing, and the next seek lands", arguments: TrackFileCase.allCases)
    func beyond(format: TrackFileCase) throws {
        let file = try format.file()
        let reader = file.reader()
        for beyond in [file.duration * 3, file.duration, file.duration + .milliseconds(1), .seconds(1_000_000_000)] {
            reader.seek(to: .time(beyond))
            let reading = reader.read()
            #expect(reading.end == .ended && reading.frames == 0 && reader.isBeyondEnd, "\(beyond)")
            #expect(reader.requestedTime == beyond)
            #expect(reader.timeline?.duration.value == file.duration)
            let target = file.duration * 0.4
            reader.seek(to: .time(target))
            #expect(!reader.isBeyondEnd)
            #expect(file.matches(reader.read(enough: Self.enough(file)), from: target))
        }
    }

    @Test("A file that was indexed ahead of the reader is read where the index says", arguments: TrackFileCase.allCases)
    func indexed(format: TrackFileCase) throws {
        let file = try format.file()
        for isAhead in format == .chain ? [true, false] : [true] {
            let reader = file.reader()
            _ = reader.read(enough: isAhead ? 1 : Int(file.parts[0].frames) + 1)
            while reader.indexMore() {}
            #expect(reader.isWholeIndexed && reader.timeline?.duration == .exact(file.duration))
            for target in Self.targets(file, 2, seed: 8) {
                reader.seek(to: .time(target))
                #expect(file.matches(reader.read(enough: Self.enough(file)), from: target))
            }
        }
    }

    @Test("A seek shortly after the indexed part lands on the exact frame", arguments: TrackFileCase.allCases)
    func afterIndex(format: TrackFileCase) throws {
        let file = try format.file()
        let held = file.bytes.count / 2
        for distance in [0, 20, 300, 1200, 2600].map({ Duration.milliseconds($0) }) {
            let source = MemoryByteSource(file.bytes, held: held)
            let reader = try #require(file.reader(source) as? ContainerTrackReader)
            _ = reader.read(enough: 1)
            while reader.indexMore() {}
            guard let last = reader.index.last else { continue }
            let end = reader.segments[last.segment].time(of: reader.index.end)
            source.release()
            let target = max(.zero, min(end + distance, file.duration - .milliseconds(200)))
            reader.seek(to: .time(target))
            let reading = reader.read(enough: Self.enough(file))
            try #require(file.matches(reading, from: target), "\(target) \(distance): \(reading.place)")
        }
    }

    @Test("A seek lands on the exact frame if the file is indexed meanwhile", arguments: TrackFileCase.allCases)
    func indexedMeanwhile(format: TrackFileCase) throws {
        try indexMeanwhile(format.file())
    }

    private func indexMeanwhile(_ file: TrackFile) throws {
        for (number, target) in Self.targets(file, 6, seed: 31).enumerated() {
            let reader = file.reader()
            reader.seek(to: .time(target))
            // The read stops before the landing if few steps are allowed.
            let start = reader.read(enough: 1, steps: [4, 16, 64][number % 3])
            while reader.indexMore() {}
            if start.frames > 0 { reader.seek(to: .time(target)) }
            let reading = reader.read(enough: Self.enough(file))
            try #require(file.matches(reading, from: target), "\(target) \(number): \(reading.place)")
        }
    }

    @Test("Seeks in a chain of four streams land on the exact frame")
    func longChain() throws {
        let file = try TrackEncoder(seconds: 32).encodeLongChain()
        try indexMeanwhile(file)
        for (number, target) in Self.targets(file, 24, seed: 37).enumerated() {
            let reader = file.reader()
            // The reader knows one to four streams.
            let known = file.parts[..<(number % 4)].reduce(0) { $0 + Int($1.frames) }
            if known > 0 { _ = reader.read(enough: known + 1) }
            reader.seek(to: .time(target))
            let reading = reader.read(enough: Self.enough(file))
            try #require(file.matches(reading, from: target), "\(target) \(number): \(reading.place)")
        }
    }

    @Test("From each place of a chain with shorter later streams, every stream is read once")
    func fallingChain() throws {
        let file = try TrackEncoder(seconds: 32).encodeLongChain([8, 2, 1, 5])
        let borders = file.parts.indices.map { file.parts[..<$0].reduce(Duration.zero) { $0 + $1.duration } }
        for (number, target) in (borders + Self.targets(file, 12, seed: 53)).enumerated() {
            let source = MemoryByteSource(file.bytes, held: number % 2 == 0 ? nil : file.bytes.count / 16)
            let reader = file.reader(source)
            // The surveyor finds the streams before the parser, or after it.
            if number % 3 == 0 { while reader.indexMore() {} }
            reader.seek(to: .time(target))
            let reading = reader.read { source.serve(reader) }
            let length = reading.runs.reduce(Duration.zero) { $0 + $1.format.duration(ofFrames: Int64($1.frames)) }
            #expect(reading.end == .ended && reading.isUnbroken, "\(target) \(number)")
            #expect(abs((length - (file.duration - target)) / .seconds(1)) < 0.001, "\(target) \(number): \(length)")
        }
    }

    @Test("A far target is fetched without the bytes in between", arguments: TrackFileCase.allCases)
    func holes(format: TrackFileCase) throws {
        let file = try format.file()
        guard file.kind != .adts else { return }
        for target in Self.targets(file, 3, seed: 5).map({ $0 / 8 + file.duration * 0.82 }) {
            let source = MemoryByteSource(file.bytes, held: file.bytes.count / 16, bytesPerSecond: 1000)
            let reader = file.reader(source)
            _ = reader.read(enough: 1) { source.serve(reader) }
            reader.seek(to: .time(target))
            let reading = reader.read(enough: Self.enough(file)) { source.serve(reader) }
            #expect(file.matches(reading, from: target), "\(target): \(reading.place)")
            let arrived = source.downloadProgress.extents.ranges.reduce(0) { $0 + $1.count }
            // Small files are read on. The second part of a chained file is only found by reading the first one.
            let isSmall = file.bytes.count < 200_000 && ![.aac, .aacLast, .opusInMP4].contains(format)
            if !isSmall, format != .chain {
                #expect(arrived < file.bytes.count * 2 / 3, "\(arrived) of \(file.bytes.count)")
            }
        }
    }

    @Test("Targets in and behind the missing part of a file are exact", arguments: TrackFileCase.allCases)
    func missingMiddle(format: TrackFileCase) throws {
        let file = try format.file()
        // EstimatedPlaceTests cover its places.
        guard file.kind != .adts else { return }
        let source = MemoryByteSource(file.bytes, held: file.bytes.count / 4, bytesPerSecond: 1000)
        source.release(file.bytes.count * 3 / 4..<file.bytes.count)
        let reader = file.reader(source)
        for target in Self.targets(file, 5, seed: 29) {
            reader.seek(to: .time(target))
            let reading = reader.read(enough: Self.enough(file)) { source.serve(reader) }
            #expect(file.matches(reading, from: target), "\(target): \(reading.place)")
        }
    }

    @Test("If the target's bytes arrive first, a seek no longer waits for the bytes in between",
        arguments: TrackFileCase.allCases)
    func skipsLater(format: TrackFileCase) throws {
        let file = try format.file()
        let target = file.duration * 0.9
        let source = MemoryByteSource(file.bytes, held: file.bytes.count / 4, bytesPerSecond: 1000)
        let reader = file.reader(source)
        _ = reader.read(enough: 1) { source.serve(reader) }
        source.skipAhead(false)
        reader.seek(to: .time(target))
        #expect(reader.read(enough: 1).end == .notYetAvailable)
        source.skipAhead(true)
        source.release(file.bytes.count * 3 / 4..<file.bytes.count)
        let reading = reader.read(enough: Self.enough(file)) { source.serve(reader) }
        // A second track cannot be found before the bytes at its beginning.
        #expect(source.held < file.bytes.count * 3 / 4 || file.parts.count > 1)
        #expect(file.kind == .adts ? reader.isOnIsland : file.matches(reading, from: target), "\(reading.place)")
    }

    @Test("While another process downloads the file, a wait has that reason, or the file's own",
        arguments: TrackFileCase.allCases)
    func followsAnother(format: TrackFileCase) throws {
        let file = try format.file()
        let source = MemoryByteSource(file.bytes, held: 2000, bytesPerSecond: 1000)
        source.arriveInOrder(.otherProcess)
        let reader = file.reader(source, TrackSection(start: .time(file.duration * 0.9)))
        var waits: [LandingWait] = []
        _ = reader.read(enough: 1) {
            if let wait = reader.landingWait { waits.append(wait) }
            return source.releaseMore()
        }
        #expect(!waits.isEmpty && waits.allSatisfy { $0 == .followsAnother || $0 == .fileHasNoIndex }, "\(waits)")
    }

    @Test("If the server sends from the beginning only, a seek waits for all bytes", arguments: TrackFileCase.allCases)
    func noSkipping(format: TrackFileCase) throws {
        let file = try format.file()
        let target = file.duration * 0.9
        for isFirst in [true, false] {
            let source = MemoryByteSource(file.bytes, held: 2000, bytesPerSecond: 1000)
            source.skipAhead(false)
            let reader = file.reader(source, isFirst ? TrackSection(start: .time(target)) : TrackSection())
            if !isFirst {
                _ = reader.read(enough: 1) { source.releaseMore() }
                reader.seek(to: .time(target))
            }
            var hasWaited = false
            let reading = reader.read(enough: Self.enough(file)) {
                hasWaited = hasWaited || reader.landingWait != nil
                return source.releaseMore()
            }
            // The tables at the end were needed before.
            #expect(hasWaited != (format == .aacLast && !isFirst) && reader.landingWait == nil)
            #expect(file.matches(reading, from: target), "\(reading.place)")
            #expect(source.held > file.bytes.count / 2)
        }
    }
}

extension Reading {
    /// The first frame read, for the message of a failed check.
    var place: String {
        "frame \(runs.first?.start ?? -1) at \(time ?? .zero), \(frames) frames, \(String(describing: end))"
    }
}

extension MemoryByteSource {
    /// Delivers some bytes where a reader needs them.
    func serve(_ reader: any TrackReader) -> Bool {
        let offset = Int(downloadProgress.extents.contiguousEnd(from: reader.readOffset))
        guard offset < content.count else { return false }
        release(offset..<offset + 20_000)
        return true
    }

    func releaseMore() -> Bool {
        guard held < content.count else { return false }
        release(more: 30_000)
        return true
    }
}
