// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import CodecTestSupport

@Suite("Sections of a track")
struct SectionTests {
    @Test("A section returns exactly its frames", arguments: TrackFileCase.allCases)
    func section(format: TrackFileCase) throws {
        let file = try format.shortFile()
        let (start, end) = (Duration.milliseconds(123), Duration.milliseconds(791))
        for isArriving in [false, true] {
            let source = MemoryByteSource(file.bytes, held: isArriving ? 0 : nil)
            let reader = file.reader(source, TrackSection(start: .time(start), end: .time(end)))
            let reading = reader.read {
                source.release(more: 3000)
                return true
            }
            #expect(reading.end == .ended)
            #expect(Int64(reading.frames) == file.place(at: end).frame - file.place(at: start).frame)
            #expect(file.matches(reading, from: start, TrackFile.Accuracy.samples(1)))
        }
    }

    @Test("Fractions count from the whole duration, once it is known", arguments: TrackFileCase.allCases)
    func fractions(format: TrackFileCase) throws {
        let file = try format.shortFile()
        let section = TrackSection(start: .fraction(0.5), end: .fraction(0.9))
        let source = MemoryByteSource(file.bytes, held: 1500)
        let reader = file.reader(source, section)

        let reading = reader.read {
            source.release(more: 3000)
            return source.held < file.bytes.count || source.downloadProgress.condition == .complete
        }

        #expect(reading.end == .ended)
        let start = file.place(at: file.duration * 0.5)
        let (first, last) = (try #require(reading.runs.first), try #require(reading.runs.last))
        // Before all packets are counted, a fraction of an estimate is meant.
        guard [.aac, .aacLast, .opusInMP4, .wave, .flacTable].contains(format) else { return }
        #expect(first.start == start.frame)
        let end = last.time + last.format.duration(ofFrames: Int64(last.frames))
        #expect(abs((end - file.duration * 0.9) / .seconds(1)) * Double(last.format.sampleRate) < 1)
    }

    @Test(
        "From a part of a growing file on, each frame is read once", arguments: TrackFileCase.allCases,
        [0.4, 0.75, 0.95])
    func fractionsOfGrowingFile(format: TrackFileCase, part: Double) throws {
        let file = try format.file()
        for held in [1000, file.bytes.count / 4] {
            let source = MemoryByteSource(file.bytes, held: held)
            let reader = file.reader(source, TrackSection(start: .fraction(part)))
            let reading = reader.read { source.releaseMore() }
            let length = reading.runs.reduce(Duration.zero) { $0 + $1.format.duration(ofFrames: Int64($1.frames)) }
            #expect(reading.end == .ended && reading.isUnbroken)
            #expect(length < file.duration * (1 - part) + file.duration * 0.3, "\(length)")
        }
    }

    @Test("A fraction is computed again with the packets at the landing: the first ones predict the duration badly")
    func fractionOfRisingRate() throws {
        let file = try TrackEncoder(seconds: 32).encodeRisingRate()
        let source = MemoryByteSource(file.bytes, held: file.bytes.count / 8, bytesPerSecond: 1000)
        source.release(file.bytes.count / 3..<file.bytes.count)
        let reading = file.reader(source, TrackSection(start: .fraction(0.4))).read(enough: 1) {
            source.release()
            return true
        }
        let time = try #require(reading.time)
        #expect(abs((time - file.duration * 0.4) / .seconds(1)) < 3, "\(time)")
    }

    @Test(
        "In a complete file, fractions are parts of the counted duration", arguments: TrackFileCase.allCases,
        [0, 0.1, 0.5, 0.97])
    func fractionsOfCompleteFile(format: TrackFileCase, part: Double) throws {
        let file = try format.shortFile()
        let start = part == 0 ? TimeTarget.time(.zero) : .fraction(part)

        let reading = file.reader(TrackSection(start: start, end: .fraction(0.99))).read()

        let first = try #require(reading.runs.first, "\(reading.end)")
        let last = try #require(reading.runs.last)
        let end = last.time + last.format.duration(ofFrames: Int64(last.frames))
        #expect(reading.end == .ended)
        #expect(abs((first.time - file.duration * part) / .milliseconds(1)) < 1)
        #expect(abs((end - file.duration * 0.99) / .milliseconds(1)) < 1)
    }

    @Test("The tag of the first of several joined MP3 files stops nothing while their length is unknown")
    func fractionOfJoinedFiles() {
        var builder = MP3Builder()
        builder.addXing(frames: 100, bytes: 101 * 417)
        builder.addFrames(300)
        let source = MemoryByteSource(builder.bytes, held: 150 * 417, knowsTotal: false)
        let reader = TrackFormat.mpeg.makeReader(source, TrackSection(end: .fraction(0.9)))
        let reading = reader.read {
            source.release()
            return true
        }
        #expect(reading.end == .ended)
        #expect(abs(reading.frames - 270 * 1152) <= 1)
    }

    @Test("A fraction after the sound of an MP3 file is computed again when all packets are counted")
    func fractionAfterSound() throws {
        var builder = MP3Builder()
        builder.addFrames(400)
        builder.addBytes([UInt8](repeating: 0, count: 100_000))
        let source = MemoryByteSource(builder.bytes, held: 60_000, bytesPerSecond: 1000)
        source.release(200_000..<builder.bytes.count)
        let reader = TrackFormat.mpeg.makeReader(source, TrackSection(start: .fraction(0.85)))
        let reading = reader.read(enough: 1) {
            source.release()
            return true
        }
        let time = try #require(reading.time)
        #expect(abs(time / .milliseconds(1) - 8882) < 30)
    }

    @Test("A part of an estimated duration follows the estimate")
    func fractionOfEstimate() {
        // Given: a duration estimated by the first packets, whose bit rate is a quarter of that of the second half.
        var builder = MP3Builder()
        builder.addFrames(400, kilobits: [32])
        builder.addFrames(400, kilobits: [128])
        let source = MemoryByteSource(builder.bytes, held: 3000)
        let reader = TrackFormat.mpeg.makeReader(source, TrackSection(end: .fraction(0.9)))
        let reading = reader.read {
            source.release(more: 3000)
            return true
        }
        #expect(reading.end == .ended)
        // By the mean bit rate of the packets up to there, it is nine tenths of the bytes.
        #expect(abs(reading.frames - 750 * 1152) <= 10 * 1152)
    }

    @Test("A section whose end lies beyond the file ends with the file", arguments: TrackFileCase.allCases)
    func longSection(format: TrackFileCase) throws {
        let file = try format.shortFile()
        let start = file.duration - .milliseconds(200)
        let reader = file.reader(TrackSection(start: .time(start), end: .time(.seconds(100))))
        let reading = reader.read()
        let last = try #require(file.parts.last)
        #expect(reading.end == .ended)
        #expect(Int64(reading.frames) == last.frames - file.place(at: start).frame)
    }
}
