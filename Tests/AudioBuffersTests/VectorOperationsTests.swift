// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import EarshotTestSupport
import Testing

@Suite("VectorOperations")
struct VectorOperationsTests {
    /// An in-place operation and its plain equivalent.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        /// The number of samples per frame.
        let channels: Int
        let operation: @Sendable (_ samples: UnsafeMutablePointer<Float>, _ other: UnsafePointer<Float>, Int) -> Void
        let byHand: @Sendable (_ samples: [Float], _ other: [Float]) -> [Float]
    }

    @Test("Each operation equals a plain loop and changes no sample outside its range", arguments: rows)
    func plainLoop(row: Row) {
        var random = SeededGenerator(seed: 11)
        for frames in 0...67 {
            for start in 0..<4 {
                let count = frames * row.channels
                let other = (0..<count + 4).map { _ in Float.random(in: -2...2, using: &random) }
                var samples = (0..<count + 8).map { _ in Float.random(in: -2...2, using: &random) }
                let range = start..<start + count
                var expected = samples
                expected.replaceSubrange(range, with: row.byHand(Array(samples[range]), Array(other[3..<3 + count])))

                samples.withUnsafeMutableBufferPointer { samples in
                    other.withUnsafeBufferPointer { other in
                        guard let first = samples.baseAddress, let second = other.baseAddress else { return }
                        row.operation(first + start, second + 3, frames)
                    }
                }

                #expect(samples == expected, "\(frames) frames from \(start) on")
            }
        }
    }

    @Test("A ramp continues where it was cut")
    func rampInPieces() {
        var whole = [Float](repeating: 1, count: 1000)
        var pieces = whole
        VectorOperations.multiplyRamp(&whole, frames: 1000, channels: 1, from: 0.25, step: 0x1p-10)
        pieces.withUnsafeMutableBufferPointer { pieces in
            guard let start = pieces.baseAddress else { return }
            for cut in stride(from: 0, to: 1000, by: 100) {
                VectorOperations.multiplyRamp(
                    start + cut, frames: 100, channels: 1, from: 0.25 + Float(cut) * 0x1p-10, step: 0x1p-10)
            }
        }
        #expect(whole == pieces)
    }

    @Test("Overlapping samples are copied correctly", arguments: [-5, -1, 0, 1, 5])
    func overlap(distance: Int) {
        var samples = (0..<40).map { Float($0) }
        samples.withUnsafeMutableBufferPointer { samples in
            guard let start = samples.baseAddress else { return }
            VectorOperations.copy(start + 10, to: start + 10 + distance, count: 20)
        }
        #expect(Array(samples[10 + distance..<30 + distance]) == (10..<30).map { Float($0) })
    }

    @Test("Planes are interleaved and deinterleaved", arguments: [1, 2, 3, 6])
    func planes(channels: Int) {
        for frames in 0...35 {
            let planeStride = frames + 3
            let planes = (0..<channels * planeStride).map { Float($0) }
            var interleaved = [Float](repeating: -1, count: frames * channels + 1)
            var apart = [Float](repeating: -1, count: planes.count)

            VectorOperations.interleave(
                planes: planes, planeStride: planeStride, channels: channels, to: &interleaved, frames: frames)
            VectorOperations.deinterleave(
                interleaved, channels: channels, toPlanes: &apart, planeStride: planeStride, frames: frames)

            let expected = (0..<frames).flatMap { frame in (0..<channels).map { planes[$0 * planeStride + frame] } }
            #expect(interleaved == expected + [-1])
            for (place, sample) in apart.enumerated() {
                #expect(sample == (place % planeStride < frames ? planes[place] : -1))
            }
        }
    }
}

extension VectorOperationsTests {
    static let rows: [Row] =
        [
            Row(testDescription: "multiply") { samples, _, count in
                VectorOperations.multiply(samples, count: count, by: 0.3)
            } byHand: { samples, _ in
                samples.map { $0 * 0.3 }
            },
            Row(testDescription: "add") { samples, other, count in
                VectorOperations.add(other, to: samples, count: count, gain: 0.7)
            } byHand: { samples, other in
                zip(samples, other).map { $0 + $1 * 0.7 }
            },
            Row(testDescription: "clear") { samples, _, count in
                VectorOperations.clear(samples, count: count)
            } byHand: { samples, _ in
                samples.map { _ in 0 }
            },
            Row(testDescription: "copy") { samples, other, count in
                VectorOperations.copy(other, to: samples, count: count)
            } byHand: { _, other in
                other
            },
            Row(testDescription: "clip") { samples, _, count in
                VectorOperations.clip(samples, count: count, limit: 0.5)
            } byHand: { samples, _ in
                samples.map { min(0.5, max(-0.5, $0)) }
            },
        ] + [1, 2, 3, 6].flatMap(ofFrames)

    private static func ofFrames(_ channels: Int) -> [Row] {
        [
            Row(testDescription: "multiplyRamp, \(channels) channels", channels: channels) { samples, _, frames in
                VectorOperations.multiplyRamp(samples, frames: frames, channels: channels, from: 0.2, step: -0.01)
            } byHand: { samples, _ in
                samples.enumerated().map { $1 * (0.2 + -0.01 * Float($0 / channels)) }
            },
            Row(testDescription: "addRamp, \(channels) channels", channels: channels) { samples, other, frames in
                VectorOperations.addRamp(
                    other, to: samples, frames: frames, channels: channels, from: 0.2, step: 0.01)
            } byHand: { samples, other in
                zip(samples, other).enumerated().map { $1.0 + $1.1 * (0.2 + 0.01 * Float($0 / channels)) }
            },
            Row(testDescription: "reverse, \(channels) channels", channels: channels) { samples, other, frames in
                VectorOperations.reverse(other, to: samples, frames: frames, channels: channels)
            } byHand: { _, other in
                reversed(other, channels)
            },
            Row(testDescription: "reverse in place, \(channels) channels", channels: channels) {
                samples, _, frames in
                VectorOperations.reverse(samples, frames: frames, channels: channels)
            } byHand: { samples, _ in
                reversed(samples, channels)
            },
        ]
    }

    private static func reversed(_ samples: [Float], _ channels: Int) -> [Float] {
        stride(from: 0, to: samples.count, by: channels).reversed().flatMap { samples[$0..<$0 + channels] }
    }
}

extension VectorOperationsTests.Row {
    fileprivate init(
        testDescription: String,
        operation: @escaping @Sendable (UnsafeMutablePointer<Float>, UnsafePointer<Float>, Int) -> Void,
        byHand: @escaping @Sendable ([Float], [Float]) -> [Float]
    ) {
        self.init(testDescription: testDescription, channels: 1, operation: operation, byHand: byHand)
    }
}
