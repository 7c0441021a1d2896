// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The levels of a signal in bands of equal width on the mel scale, in decibels, for each 1,024 samples.
struct LogSpectrum {
    private let levels: [[Double]]
    private static let (size, bands) = (1024, 24)

    init(_ samples: [Float]) {
        levels = stride(from: 0, through: samples.count - Self.size, by: Self.size).map { start in
            Self.levels(samples[start..<start + Self.size].map(Double.init))
        }
    }

    /// Returns the mean difference of the levels in decibels, without blocks that are silent in both.
    func distance(to other: LogSpectrum) -> Double {
        let differences = zip(levels, other.levels).flatMap { zip($0, $1).map { abs($0 - $1) } }
        return differences.reduce(0, +) / Double(max(1, differences.count))
    }

    private static func levels(_ block: [Double]) -> [Double] {
        let windowed = block.enumerated().map { (place: Int, sample: Double) -> Double in
            sample * (0.5 - 0.5 * cos(2 * Double.pi * Double(place) / Double(size)))
        }
        let power = transform(windowed)
        let edges = (0...bands).map { (band: Int) -> Int in
            // Mel: 700 Hz × (10^(m / 2595) − 1), scaled to the first half of the spectrum.
            let part: Double = (pow(10, 1.5 * Double(band) / Double(bands)) - 1) / (pow(10, 1.5) - 1)
            return Int(part * Double(size / 2))
        }
        return zip(edges, edges.dropFirst()).map { low, high in
            let energy = power[low..<max(low + 1, high)].reduce(0, +)
            return 10 * log10(energy + 1e-9)
        }
    }

    /// Returns the squared magnitudes of the discrete Fourier transform.
    private static func transform(_ real: [Double]) -> [Double] {
        var (re, im) = (real, [Double](repeating: 0, count: real.count))
        re.withUnsafeMutableBufferPointer { re in
            im.withUnsafeMutableBufferPointer { im in
                turns.withUnsafeBufferPointer { fourier(re, im, $0) }
            }
        }
        return zip(re, im).map { $0 * $0 + $1 * $1 }
    }

    /// The cosine and the sine of each angle of the transform.
    private static let turns = (0..<size / 2).map { step in
        let angle = -2 * Double.pi * Double(step) / Double(size)
        return SIMD2(cos(angle), sin(angle))
    }

    /// The transform in place by decimation in time.
    private static func fourier(
        _ re: UnsafeMutableBufferPointer<Double>, _ im: UnsafeMutableBufferPointer<Double>,
        _ turns: UnsafeBufferPointer<SIMD2<Double>>
    ) {
        reverseBits(re)
        var half = 1
        while half < size {
            let stride = size / (2 * half)
            var start = 0
            while start < size {
                var k = 0
                while k < half {
                    let (even, odd) = (start &+ k, start &+ k &+ half)
                    let turn = turns[k &* stride]
                    let (x, y) = (turn.x * re[odd] - turn.y * im[odd], turn.x * im[odd] + turn.y * re[odd])
                    (re[odd], im[odd]) = (re[even] - x, im[even] - y)
                    (re[even], im[even]) = (re[even] + x, im[even] + y)
                    k &+= 1
                }
                start &+= 2 &* half
            }
            half &*= 2
        }
    }

    private static func reverseBits(_ values: UnsafeMutableBufferPointer<Double>) {
        var reversed = 0
        for place in 1..<size {
            var bit = size >> 1
            while reversed & bit != 0 {
                reversed ^= bit
                bit >>= 1
            }
            reversed |= bit
            if place < reversed { values.swapAt(place, reversed) }
        }
    }
}
