// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import EarshotTestSupport
import Testing

@Suite("VectorOperations, integers and floats")
struct VectorSampleTypeTests {
    @Test("Every Int16 is preserved by a round trip")
    func roundTrip() {
        let all = (Int16.min ... .max).map(\.self)
        var floats = [Float](repeating: 9, count: all.count)
        var back = [Int16](repeating: 9, count: all.count)

        VectorOperations.convert(all, to: &floats, count: all.count)
        VectorOperations.convert(floats, to: &back, count: all.count)

        #expect(floats[0] == -1)
        #expect(floats[0x8000] == 0)
        #expect(firstDifference(back, all) == nil)
    }

    struct Row: Sendable {
        let float: Float
        let int16: Int16
        let int32: Int32
    }

    @Test(
        "Floats are rounded to the nearest integer and saturate, and NaN becomes 0",
        arguments: [
            Row(float: 1, int16: 32767, int32: .max), Row(float: -1, int16: -32768, int32: .min),
            Row(float: 1.5, int16: 32767, int32: .max), Row(float: -1e30, int16: -32768, int32: .min),
            Row(float: .infinity, int16: 32767, int32: .max), Row(float: -.infinity, int16: -32768, int32: .min),
            Row(float: .nan, int16: 0, int32: 0), Row(float: -0.0, int16: 0, int32: 0),
            Row(float: .leastNonzeroMagnitude, int16: 0, int32: 0),
            Row(float: 0.5 * 0x1p-15, int16: 0, int32: 0x8000), Row(float: 1.5 * 0x1p-15, int16: 2, int32: 0x18000),
            Row(float: -2.5 * 0x1p-15, int16: -2, int32: -0x28000), Row(float: 0.6 * 0x1p-15, int16: 1, int32: 39322),
            Row(float: 2.5 * 0x1p-31, int16: 0, int32: 2), Row(float: -3.5 * 0x1p-31, int16: 0, int32: -4),
            Row(float: 0.99999994, int16: 32767, int32: 2_147_483_520),
        ])
    func rounding(row: Row) {
        // At every position of a block, and after it.
        let floats = [Float](repeating: row.float, count: 19)
        var shorts = [Int16](repeating: 9, count: 19)
        var longs = [Int32](repeating: 9, count: 19)
        VectorOperations.convert(floats, to: &shorts, count: 19)
        VectorOperations.convert(floats, to: &longs, count: 19)
        #expect(shorts == Array(repeating: row.int16, count: 19))
        #expect(longs == Array(repeating: row.int32, count: 19))
    }

    @Test("An Int32 becomes the nearest Float32")
    func int32() {
        var random = SeededGenerator(seed: 17)
        let longs =
            [0, 1, -1, .max, .min, 0x7FFF_FFBF] + (0..<500).map { _ in Int32.random(in: .min ... .max, using: &random) }
        for count in 0...67 {
            var floats = [Float](repeating: 9, count: longs.count)
            VectorOperations.convert(longs, to: &floats, count: count)
            let expected = longs.prefix(count).map { Float(Double($0) / 0x1p31) }
            #expect(floats == expected + Array(repeating: 9, count: longs.count - count))
        }
    }
}
