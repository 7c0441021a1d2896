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
        let power = transform(windowed, Array(repeating: 0, count: size))
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
    private static func transform(_ real: [Double], _ imaginary: [Double]) -> [Double] {
        let (re, im) = fourier(real, imaginary)
        return zip(re, im).map { $0 * $0 + $1 * $1 }
    }

    private static func fourier(_ re: [Double], _ im: [Double]) -> ([Double], [Double]) {
        guard re.count > 1 else { return (re, im) }
        let half = re.count / 2
        let (evenRe, evenIm) = fourier((0..<half).map { re[2 * $0] }, (0..<half).map { im[2 * $0] })
        let (oddRe, oddIm) = fourier((0..<half).map { re[2 * $0 + 1] }, (0..<half).map { im[2 * $0 + 1] })
        var (outRe, outIm) = (re, im)
        for k in 0..<half {
            let angle = -Double.pi * Double(k) / Double(half)
            let (c, s) = (cos(angle), sin(angle))
            let (x, y) = (c * oddRe[k] - s * oddIm[k], s * oddRe[k] + c * oddIm[k])
            (outRe[k], outIm[k]) = (evenRe[k] + x, evenIm[k] + y)
            (outRe[k + half], outIm[k + half]) = (evenRe[k] - x, evenIm[k] - y)
        }
        return (outRe, outIm)
    }
}
