// SPDX-License-Identifier: GPL-3.0-or-later
internal import Glibc

/// The coefficients of fourfold oversampling: a sinc with a Kaiser window, for the three points between two samples.
///
/// With 24 taps for each point, the error is less than 0.25 dB up to 0.45 times the sample rate; with twelve, as in the
/// example of ITU-R BS.1770-5 annex 2, up to 0.4 times. Sound above that has other peaks with each: at 8 kHz, those of
/// a voice differ by 0.3 dB in both directions. Meters use either number, so the higher peak counts.
struct OversamplingKernel: Sendable {
    typealias Vector = TruePeakFilter.Vector
    static let short = OversamplingKernel(taps: 12)
    static let long = OversamplingKernel(taps: 24)

    /// For each tap the coefficients of the three points; the fourth lane is unused.
    private let taps: [SIMD4<Float>]
    /// The greatest possible ratio of a point's magnitude to the greatest magnitude of the samples.
    let greatestGain: Float

    /// The number of samples of which a point consists.
    var length: Int { taps.count }

    private init(taps count: Int) {
        var columns = (0..<count).map { tap in
            let points = [0.25, 0.5, 0.75].map { Self.coefficient(tap, of: count, $0) }
            return SIMD4<Double>(points[0], points[1], points[2], 0)
        }
        var sum = columns.reduce(SIMD4()) { $0 + $1 }
        sum.w = 1
        for tap in columns.indices { columns[tap] /= sum }
        taps = columns.map { SIMD4<Float>($0) }
        let magnitudes = columns.reduce(SIMD4()) { $0 + SIMD4($1.x.magnitude, $1.y.magnitude, $1.z.magnitude, 0) }
        greatestGain = Float(magnitudes.max()) * 1.0001
    }

    /// Returns a sample of the windowed sinc for the point `offset` after the middle sample.
    private static func coefficient(_ tap: Int, of count: Int, _ offset: Double) -> Double {
        let distance = Double(tap - count / 2 + 1) - offset
        let place = distance / Double(count / 2)
        let window = besselI0(shape * max(0, 1 - place * place).squareRoot()) / besselI0(shape)
        return window * sin(.pi * distance) / (.pi * distance)
    }

    /// The shape parameter of the Kaiser window.
    private static let shape = 4.0

    /// Returns the modified Bessel function of the first kind and order 0, from its power series.
    private static func besselI0(_ x: Double) -> Double {
        var (sum, term) = (1.0, 1.0)
        for index in 1...30 {
            term *= (x / 2 / Double(index)) * (x / 2 / Double(index))
            sum += term
        }
        return sum
    }

    /// Raises each of `peaks` to the peak of the frame in `plane` if that is higher, in whole vectors.
    func raise(_ peaks: UnsafeMutablePointer<Float>, frames: Int, to plane: UnsafePointer<Float>) {
        let (source, target) = (UnsafeRawPointer(plane), UnsafeMutableRawPointer(peaks))
        taps.withUnsafeBufferPointer { taps in
            var frame = 0
            while frame < frames {
                var peak = target.loadUnaligned(fromByteOffset: frame &* 4, as: Vector.self)
                Self.raise(&peak, to: source + frame &* 4, taps)
                target.storeBytes(of: peak, toByteOffset: frame &* 4, as: Vector.self)
                frame &+= Vector.scalarCount
            }
        }
    }

    /// Raises the peaks of consecutive frames, whose oldest samples begin at `source`.
    @inline(__always)
    private static func raise(
        _ peak: inout Vector, to source: UnsafeRawPointer, _ taps: UnsafeBufferPointer<SIMD4<Float>>
    ) {
        var (early, middle, late) = (Vector(), Vector(), Vector())
        for tap in 0..<taps.count {
            let samples = source.loadUnaligned(fromByteOffset: tap &* 4, as: Vector.self)
            early += samples * taps[tap].x
            middle += samples * taps[tap].y
            late += samples * taps[tap].z
        }
        raise(&peak, to: source.loadUnaligned(fromByteOffset: (taps.count / 2 &- 1) &* 4, as: Vector.self))
        raise(&peak, to: early)
        raise(&peak, to: middle)
        raise(&peak, to: late)
    }

    @inline(__always)
    private static func raise(_ peak: inout Vector, to points: Vector) {
        let magnitudes = points.replacing(with: -points, where: points .< 0)
        peak.replace(with: magnitudes, where: magnitudes .> peak)
    }
}
