// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import CodecTestSupport

@Suite("Resampler")
struct ResamplerTests {
    static let rates = [
        (44100, 48000), (48000, 44100), (22050, 44100), (44100, 22050), (24000, 44100), (8000, 48000), (48000, 8000),
        (11025, 48000), (44100, 44100),
    ]

    @Test("N frames and a drain yield round(N × ratio) frames, for any cuts", arguments: rates)
    func exactLength(from: Int, to: Int) throws {
        var random = SeededGenerator(seed: 3)

        for frames in [0, 1, 2, 7, 100, 575, 576, 1151, 1152, 1153, 4410, 10007, from / 3, from] {
            let input = [Float](repeating: 0.5, count: frames)
            for cut in [1153, Int.random(in: 1...300, using: &random)] {
                let output = try Resampler(from: .mono(from), to: .mono(to)).run(input, cut: cut)
                #expect(output.count == Int((Double(frames) * Double(to) / Double(from)).rounded()), "\(frames)")
            }
        }
    }

    @Test("A drained or reset resampler starts again", arguments: rates)
    func beginsAnew(from: Int, to: Int) throws {
        let input = (0..<3 * from / 50).map { Float(sin(Double($0) / 20)) }
        let first = try Resampler(from: .mono(from), to: .mono(to)).run(input, cut: 1152)

        let resampler = try Resampler(from: .mono(from), to: .mono(to))
        _ = try resampler.run([Float](repeating: 1, count: from), cut: 1152)
        #expect(try resampler.run(input, cut: 1152) == first)
        _ = resampler.feed([Float](repeating: 1, count: from), cut: 1152)
        try resampler.reset()
        #expect(try resampler.run(input, cut: 1152) == first)
    }

    @Test("Over a playlist the total is exact to half a frame", arguments: rates)
    func playlist(from: Int, to: Int) throws {
        var random = SeededGenerator(seed: 5)
        var carry = 0.0
        var (taken, made) = (0, 0)

        for _ in 0..<60 {
            let frames = Int.random(in: 0...3000, using: &random)
            let resampler = try Resampler(from: .mono(from), to: .mono(to), carry: carry)
            made += try resampler.run([Float](repeating: 0, count: frames), cut: 1152).count
            taken += frames
            carry = resampler.carry
            #expect(abs(Double(made) + carry - Double(taken) * Double(to) / Double(from)) < 1e-6)
            #expect(abs(carry) <= 0.5)
        }
    }

    @Test("The output does not depend on how the input is cut", arguments: rates)
    func cutIndependence(from: Int, to: Int) throws {
        var random = SeededGenerator(seed: 7)
        let input = (0..<9000).map { _ in Float.random(in: -1...1, using: &random) }
        let whole = try Resampler(from: .mono(from), to: .mono(to)).run(input, cut: input.count)

        for cut in [1, 17, 576, 1152, 1153] {
            let pieces = try Resampler(from: .mono(from), to: .mono(to)).run(input, cut: cut)
            #expect(difference(pieces, whole) < 1e-6, "split at \(cut)")
        }
    }

    @Test("Output frame 0 is aligned with source frame 0", arguments: rates)
    func alignment(from: Int, to: Int) throws {
        // A slow bell curve around 0.1 s, whose centre of gravity is its time.
        let centre = 0.1
        let input = (0..<from / 5).map { frame in
            let time = (Double(frame) / Double(from) - centre) / 0.01
            return Float(exp(-time * time))
        }

        let output = try Resampler(from: .mono(from), to: .mono(to)).run(input, cut: 1152)

        let weight = output.reduce(0) { $0 + Double($1) }
        let moment = output.enumerated().reduce(0) { $0 + Double($1.offset) * Double($1.element) }
        #expect(abs(moment / weight - centre * Double(to)) <= 0.51)
    }

    @Test("A sine stays a sine: the residue is 100 dB below it", arguments: rates)
    func sine(from: Int, to: Int) throws {
        let input = (0..<from / 2).map { Float(0.5 * sin(2 * .pi * 1000 * Double($0) / Double(from))) }

        let output = try Resampler(from: .mono(from), to: .mono(to)).run(input, cut: 1152)

        #expect(signalToNoise(of: output.dropFirst(1000).dropLast(1000), frequency: 1000, rate: to) > 100)
    }

    @Test(
        "Frequencies above the lower rate's limit are attenuated by 100 dB",
        arguments: [(48000, 44100, 23500.0), (44100, 22050, 13000)])
    func stopBand(from: Int, to: Int, frequency: Double) throws {
        let input = (0..<from / 2).map { Float(0.5 * sin(2 * .pi * frequency * Double($0) / Double(from))) }

        let output = try Resampler(from: .mono(from), to: .mono(to)).run(input, cut: 1152)

        let loudest = output.dropFirst(1000).dropLast(1000).map(abs).max() ?? 1
        #expect(loudest < 0.5e-5)
    }

    @Test("Items of one format without a drain in between are converted as one signal", arguments: rates)
    func survivesBorders(from: Int, to: Int) throws {
        let input = (0..<8000).map { Float(sin(Double($0) / 20)) }
        let whole = try Resampler(from: .mono(from), to: .mono(to)).run(input, cut: 8000)

        let resampler = try Resampler(from: .mono(from), to: .mono(to))
        let border = resampler.outputFrame(ofSource: 3333)
        let joined =
            try resampler.feed(Array(input[..<3333]), cut: 1152)
            + resampler.run(Array(input[3333...]), cut: 1152)

        #expect(difference(joined, whole) < 1e-6)
        #expect(border == Int64((3333 * Double(to) / Double(from)).rounded()))
        #expect(abs(resampler.sourceFrame(ofOutput: border) - 3333) <= 1 + Int64(from / to))
    }

    @Test("Output frames are numbered without gaps")
    func numbering() throws {
        let resampler = try Resampler(from: .mono(44100), to: .mono(48000))
        var next: Int64 = 0
        let take: Resampler.Emit = { samples, frame in
            #expect(frame == next)
            #expect(!samples.isEmpty)
            next += Int64(samples.count)
        }

        [Float](repeating: 0, count: 5000).withUnsafeBufferPointer { resampler.convert($0, emit: take) }
        try resampler.drain(emit: take)

        #expect(next == 5442)
        [Float](repeating: 0, count: 3).withUnsafeBufferPointer { resampler.convert($0, emit: take) }
        next = 0
        try resampler.drain(emit: take)
        #expect(next == 3)
    }

    @Test("The same format is passed through without a copy")
    func identity() throws {
        let resampler = try Resampler(from: .mono(44100), to: .mono(44100))
        let input = (0..<5000).map { Float($0) }
        var addresses: [UnsafePointer<Float>?] = []

        input.withUnsafeBufferPointer { input in
            resampler.convert(input) { samples, _ in addresses.append(samples.baseAddress) }
            #expect(addresses == [input.baseAddress])
        }
    }

    @Test(
        "A sample that is not a number or far too large does not stay in the output",
        arguments: [Float.nan, .infinity, 3e38])
    func hostile(sample: Float) throws {
        let input = (0..<20_000).map { Float(sin(Double($0) / 20)) }
        var damaged = input
        damaged[1000] = sample

        let output = try Resampler(from: .mono(44100), to: .mono(48000)).run(damaged, cut: 1152)

        #expect(output.allSatisfy { $0.isFinite })
        let undamaged = try Resampler(from: .mono(44100), to: .mono(48000)).run(input, cut: 1152)
        #expect(difference(Array(output.suffix(10_000)), Array(undamaged.suffix(10_000))) < 1e-3)
    }

    @Test(
        "An invalid rate or an extreme ratio is refused",
        arguments: [(0, 44100), (44100, 0), (-1, 44100), (1, 48000)])
    func refused(from: Int, to: Int) {
        #expect(throws: DecodingError.unsupportedRate(from: from, to: to)) {
            try Resampler(from: .mono(from), to: .mono(to))
        }
    }

    @Test("A refusal names both rates")
    func refusalText() {
        let error = DecodingError.unsupportedRate(from: 700, to: 48000)
        #expect("\(error)" == "the rates 700 Hz and 48000 Hz are too different")
    }
}

/// Returns the level of a sine of `frequency` relative to the residue, in decibels.
private func signalToNoise(of samples: some Collection<Float>, frequency: Double, rate: Int) -> Double {
    let angles = (0..<samples.count).map { 2 * Double.pi * frequency * Double($0) / Double(rate) }
    let (sines, cosines) = (angles.map(sin), angles.map(cos))
    func product(_ one: [Double], _ other: [Double]) -> Double { zip(one, other).reduce(0) { $0 + $1.0 * $1.1 } }
    let values = samples.map(Double.init)
    let (ss, cc, sc) = (product(sines, sines), product(cosines, cosines), product(sines, cosines))
    let (vs, vc) = (product(values, sines), product(values, cosines))
    let determinant = ss * cc - sc * sc
    let (a, b) = ((vs * cc - vc * sc) / determinant, (vc * ss - vs * sc) / determinant)
    let tone = zip(sines, cosines).map { a * $0 + b * $1 }
    let rest = zip(values, tone).map { $0 - $1 }
    return 10 * log10(product(tone, tone) / product(rest, rest))
}
