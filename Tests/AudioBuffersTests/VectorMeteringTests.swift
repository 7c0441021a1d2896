// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import EarshotTestSupport
import Glibc
import Testing

@Suite("VectorOperations, metering")
struct VectorMeteringTests {
    @Test("Metering equals a plain loop, for one channel or all", arguments: [1, 2, 3])
    func plainLoop(stride: Int) {
        var random = SeededGenerator(seed: 13)
        for count in 0...67 {
            for start in 0..<4 {
                let all = (0..<count * stride + start).map { _ in Float.random(in: -1.5...1.5, using: &random) }
                let measured = (0..<count).map { all[start + $0 * stride] }

                all.withUnsafeBufferPointer { all in
                    guard let first = all.baseAddress.map({ $0 + start }) else { return }
                    let squares = measured.reduce(0) { $0 + Double($1) * Double($1) }
                    let sum = VectorOperations.sumOfSquares(first, count: count, stride: stride)
                    let root = VectorOperations.rootMeanSquare(first, count: count, stride: stride)
                    #expect(VectorOperations.peak(first, count: count, stride: stride) == measured.map(abs).max() ?? 0)
                    #expect(abs(sum - squares) <= squares * 1e-14)
                    #expect(abs(Double(root) - sqrt(squares / Double(max(1, count)))) < 1e-6)
                    #expect(
                        VectorOperations.clipCount(first, count: count, stride: stride)
                            == measured.count { abs($0) > 1 })
                }
            }
        }
    }

    @Test("The peak is found at any position", arguments: 0..<67)
    func peakAnywhere(place: Int) {
        var samples = [Float](repeating: 0.25, count: 67)
        samples[place] = -0.75
        #expect(VectorOperations.peak(samples, count: 67) == 0.75)
    }

    @Test("NaN counts as clipped, becomes silence and hides no peak", arguments: 0..<17)
    func notANumber(place: Int) {
        var samples = [Float](repeating: -0.5, count: 17)
        samples[place] = .nan
        #expect(VectorOperations.peak(samples, count: 17) == 0.5)
        #expect(VectorOperations.clipCount(samples, count: 17) == 1)

        VectorOperations.clip(&samples, count: 17)
        #expect(samples[place] == 0)
        #expect(samples.count { $0 == -0.5 } == 16)
    }

    @Test("Infinity is a peak, counts as clipped and is clipped to the limit")
    func infinity() {
        var samples: [Float] = [.infinity, -.infinity, 1, -1]
        #expect(VectorOperations.peak(samples, count: 4) == .infinity)
        #expect(VectorOperations.clipCount(samples, count: 4) == 2)
        VectorOperations.clip(&samples, count: 4)
        #expect(samples == [1, -1, 1, -1])
    }

    @Test("Non-finite samples become silence, and all others stay unchanged", arguments: 0..<17)
    func nonFinite(place: Int) {
        for bad in [Float.nan, .infinity, -.infinity, .signalingNaN] {
            var samples = (0..<17).map { $0 % 2 == 0 ? Float.greatestFiniteMagnitude : -.leastNonzeroMagnitude }
            var doubles = samples.map { Double($0) * 0x1p800 }
            let (finite, finiteDoubles) = (samples, doubles)
            samples[place] = bad
            doubles[place] = Double(bad)
            VectorOperations.clearNonFinite(&samples, count: 17)
            VectorOperations.clearNonFinite(&doubles, count: 17)
            #expect(samples[place] == 0 && doubles[place] == 0)
            for other in 0..<17 where other != place {
                #expect(samples[other] == finite[other] && doubles[other] == finiteDoubles[other])
            }
        }
    }

    @Test("Without samples the level is 0", arguments: [0, -1, .min])
    func none(count: Int) {
        let samples: [Float] = [9]
        #expect(VectorOperations.peak(samples, count: count) == 0)
        #expect(VectorOperations.sumOfSquares(samples, count: count) == 0)
        #expect(VectorOperations.rootMeanSquare(samples, count: count) == 0)
        #expect(VectorOperations.clipCount(samples, count: count) == 0)
    }
}
