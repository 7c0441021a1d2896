// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import EarshotTestSupport
import Media
import Testing

@testable import CodecTestSupport

@Suite("GaplessTrimmer")
struct GaplessTrimmerTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let start: Int64
        let end: Int64?
        /// The output for decoded frames 0..<40, in trimmed frames.
        let heard: Range<Int64>
    }

    @Test(
        "The trimmer keeps start..<end",
        arguments: [
            Row(testDescription: "no tag", start: 0, end: nil, heard: 0..<40),
            Row(testDescription: "delay only", start: 7, end: nil, heard: 0..<33),
            Row(testDescription: "delay and padding", start: 7, end: 31, heard: 0..<24),
            Row(testDescription: "padding over several blocks", start: 7, end: 12, heard: 0..<5),
            Row(testDescription: "end at a block boundary", start: 10, end: 20, heard: 0..<10),
            Row(testDescription: "end at the end of the stream", start: 7, end: 40, heard: 0..<33),
            Row(testDescription: "end after the end of the stream", start: 7, end: 99, heard: 0..<33),
            Row(testDescription: "nothing left", start: 7, end: 7, heard: 0..<0),
            Row(testDescription: "end before start is ignored", start: 7, end: 3, heard: 0..<33),
            Row(testDescription: "negative numbers", start: -7, end: -3, heard: 0..<40),
            Row(testDescription: "very large numbers", start: .max, end: .max, heard: 0..<0),
            Row(testDescription: "delay longer than the stream", start: 50, end: 60, heard: 0..<0),
        ])
    func keeps(row: Row) {
        var trimmer = GaplessTrimmer(start: row.start, end: row.end)
        var output = TrimmedOutput(start: max(0, row.start))

        for block in 0..<4 { output.accept(Int64(block * 10)..<Int64(block * 10 + 10), &trimmer) }
        output.finish(&trimmer)

        #expect(output.isContiguous)
        #expect(output.frames == row.heard)
    }

    @Test("Frames from the declared end on are held back, and dropped when the stream ends")
    func holdsBack() {
        var trimmer = GaplessTrimmer(start: 0, end: 15)
        var output = TrimmedOutput(start: 0)

        output.accept(0..<10, &trimmer)
        #expect(trimmer.heldFrames == 0)
        output.accept(10..<20, &trimmer)
        #expect(trimmer.heldFrames == 5)
        #expect(output.frames == 0..<15)
        output.finish(&trimmer)
        #expect(trimmer.heldFrames == 0)
    }

    @Test("A packet beyond the declared ones releases the held frames and disables the end trim")
    func releases() {
        var trimmer = GaplessTrimmer(start: 3, end: 15)
        var output = TrimmedOutput(start: 3)

        output.accept(0..<20, &trimmer)
        output.accept(20..<30, &trimmer, exceeded: true)

        #expect(output.isContiguous)
        #expect(output.frames == 0..<27)
        #expect(trimmer.end == nil)
        trimmer.seek(to: 10)
        var second = TrimmedOutput(start: 3)
        second.accept(10..<20, &trimmer)
        #expect(second.frames == 10..<17)
    }

    @Test("A stream with fewer packets than declared is output to its end")
    func cutShort() {
        var trimmer = GaplessTrimmer(start: 3, end: 15)
        var output = TrimmedOutput(start: 3)

        output.accept(0..<20, &trimmer)
        output.finish(&trimmer, hasDeclaredPackets: false)

        #expect(output.isContiguous)
        #expect(output.frames == 0..<17)
    }

    @Test("Padding beyond the limit of a tag is ignored, so that memory is bounded")
    func boundedHold() {
        var trimmer = GaplessTrimmer(start: 0, end: 100)
        var output = TrimmedOutput(start: 0)

        for block in 0..<60 {
            output.accept(Int64(block * 1152)..<Int64(block * 1152 + 1152), &trimmer)
            #expect(trimmer.heldFrames <= GaplessTrimmer.holdLimit)
        }

        #expect(output.isContiguous)
        #expect(output.frames == 0..<60 * 1152)
    }

    @Test(
        "After a seek the frames before the target are dropped by count",
        arguments: [(0 as Int64, 0 as Int64), (12, 10), (25, 20), (5, 0), (-9, 0)])
    func seek(target: Int64, landing: Int64) {
        var trimmer = GaplessTrimmer(start: 5, end: 35)
        var output = TrimmedOutput(start: 5)
        output.accept(30..<40, &trimmer)
        output = TrimmedOutput(start: 5)

        trimmer.seek(to: target)
        #expect(trimmer.heldFrames == 0)
        for block in stride(from: landing, to: 40, by: 10) { output.accept(block..<block + 10, &trimmer) }

        #expect(output.isContiguous)
        #expect(output.frames == max(0, target)..<30)
    }

    @Test("The output length is frames − delay − padding, for any block sizes", arguments: 1...200)
    func cutIndependence(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let frames = Int64.random(in: 1...5000, using: &random)
        let start = Int64.random(in: 0...frames, using: &random)
        let end = Int64.random(in: start...frames, using: &random)
        var trimmer = GaplessTrimmer(start: start, end: end)
        var output = TrimmedOutput(start: start)

        var frame: Int64 = 0
        while frame < frames {
            let next = min(frames, frame + .random(in: 1...1152, using: &random))
            output.accept(frame..<next, &trimmer)
            frame = next
        }
        output.finish(&trimmer)

        #expect(output.isContiguous)
        #expect(output.frames == 0..<end - start)
    }

    @Test("A file whose tag declares too few packets is output to its end")
    func lyingTag() throws {
        let fixture = try MP3Fixture("stereo-44100-cbr128")
        let linear = try fixture.decodeLinearly()
        let declared = fixture.packets.count / 2
        var trimmer = GaplessTrimmer(start: fixture.music.lowerBound, end: Int64(declared * 1152 - 900))
        var heard: [Float] = []
        let decoder = try MPG123Decoder(format: fixture.format)

        for number in fixture.packets.indices {
            var pcm = PCMBuffer(format: fixture.format, capacity: 1152)
            try fixture.bytes[fixture.packets[number].bytes].withUnsafeBytes { bytes in
                _ = try decoder.decode(bytes, into: &pcm)
            }
            trimmer.accept(pcm, at: Int64(number * 1152), declaredPacketsExceeded: number >= declared) {
                heard += $0
                #expect(Int(fixture.music.lowerBound + $1) * 2 + $0.count <= linear.count)
            }
        }

        #expect(identical(heard, fixture.samples(linear, frames: fixture.music.lowerBound..<fixture.decodedFrames)))
    }
}

/// The output of a trimmer for PCM whose samples are their decoded frame numbers.
private struct TrimmedOutput {
    private let start: Int64
    private(set) var isContiguous = true
    private var range: Range<Int64>?

    /// The trimmed frames that were output.
    var frames: Range<Int64> { range ?? 0..<0 }

    init(start: Int64) { self.start = start }

    mutating func accept(_ decoded: Range<Int64>, _ trimmer: inout GaplessTrimmer, exceeded: Bool = false) {
        var block = PCMBuffer(format: AudioFormat(sampleRate: 44100, channels: 2), capacity: decoded.count)
        for index in 0..<decoded.count {
            block.freeSpace[2 * index] = Float(decoded.lowerBound + Int64(index))
            block.freeSpace[2 * index + 1] = -block.freeSpace[2 * index]
        }
        block.commit(frames: decoded.count)
        trimmer.accept(block, at: decoded.lowerBound, declaredPacketsExceeded: exceeded) { samples, frame in
            take(samples, at: frame)
        }
    }

    mutating func finish(_ trimmer: inout GaplessTrimmer, hasDeclaredPackets: Bool = true) {
        trimmer.finish(hasDeclaredPackets: hasDeclaredPackets) { samples, frame in take(samples, at: frame) }
    }

    private mutating func take(_ samples: UnsafeBufferPointer<Float>, at frame: Int64) {
        let count = samples.count / 2
        let isRight = (0..<count).allSatisfy { index in
            let number = Float(start + frame + Int64(index))
            return samples[2 * index] == number && samples[2 * index + 1] == -number
        }
        isContiguous = isContiguous && count > 0 && isRight && (range == nil || range?.upperBound == frame)
        range = (range?.lowerBound ?? frame)..<frame + Int64(count)
    }
}
