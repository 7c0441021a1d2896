// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Testing

@Suite("Time stretcher: sound")
struct TimeStretcherTests {
    typealias Material = StretchMaterial

    @Test(
        "The length is the input's length divided by the speed",
        arguments: [0.5, 0.7, 0.95, 1.05, 1.25, 1.5, 2, 2.5, 3])
    func length(speed: Double) {
        let input = Material.vowel(6001, period: 67) + Material.noise(2000, level: 0.2, seed: 3)

        let output = Material.stretch(input, speed: speed)

        #expect(abs(Double(output.frames) - Double(input.count) / speed) <= 0.5)
    }

    @Test("The first and the last 10 ms are copies", arguments: [0.5, 0.8, 1.3, 2, 3.5])
    func edges(speed: Double) {
        let input = Material.noise(6000, level: 0.5, seed: 5)

        let output = Material.samples(of: Material.stretch(input, speed: speed))

        #expect(output.prefix(80) == input.prefix(80))
        #expect(output.suffix(80) == input.suffix(80))
    }

    @Test("An item that is shorter than both edges is copied", arguments: [0, 1, 79, 160])
    func shortItem(frames: Int) {
        let input = Material.noise(frames, level: 0.5, seed: 5)

        #expect(Material.samples(of: Material.stretch(input, speed: 2)) == input)
    }

    @Test("A periodic sound stays periodic: splices drop and repeat whole periods", arguments: [0.5, 0.7, 1.5, 2, 3])
    func period(speed: Double) {
        let period = 67
        let input = Material.vowel(6000, period: period)

        let output = Material.samples(of: Material.stretch(input, speed: speed))

        // The splice that corrects the length does not preserve the phase.
        let checked = output.dropLast(1200)
        let error = zip(checked, checked.dropFirst(period)).map { abs($0 - $1) }.max() ?? 1
        #expect(error < 1e-5)
    }

    @Test("Bursts are copied without a change", arguments: [0.6, 1.25, 1.5, 2])
    func bursts(speed: Double) {
        let starts = [900, 1500, 2600, 3331, 4100, 5002]
        let input = Material.bursts(8000, at: starts, sampleRate: 8000)

        let output = Material.stretch(input, speed: speed)

        for start in starts {
            #expect(output.copies(start..<(start + 32)) == 1)
        }
    }

    @Test(
        "Each channel is treated in the same way, even if two have opposite polarity",
        arguments: [[1, -1], [1, 0.5, 0]] as [[Float]])
    func channels(gains: [Float]) {
        let voice = Material.vowel(5000, period: 67)
        let input = voice.flatMap { sample in gains.map { sample * $0 } }

        let output = Material.samples(of: Material.stretch(input, speed: 1.5, channels: gains.count))

        let alone = Material.samples(of: Material.stretch(voice, speed: 1.5))
        let expected = alone.flatMap { sample in gains.map { sample * $0 } }
        #expect(output == expected)
    }

    @Test("All rates are supported", arguments: [300, 1000, 8000, 11_025, 44_100, 192_000, 768_000])
    func rates(sampleRate: Int) {
        let input = [Float](repeating: 0, count: sampleRate / 4)

        let output = Material.stretch(input, speed: 2, sampleRate: sampleRate)

        #expect(abs(output.frames - input.count / 2) <= 1)
    }

    @Test("Samples that are not numbers change neither the length nor what follows them by more than a window")
    func notANumber() {
        var input = Material.vowel(8000, period: 67)
        for index in 1000..<1100 { input[index] = index % 2 == 0 ? .nan : .infinity }

        let output = Material.samples(of: Material.stretch(input, speed: 1.5))

        #expect(output.count == 5333)
        let end = output.suffix(4000).filter(\.isFinite)
        #expect(end.count == 4000)
    }
}

extension MappedAudio {
    /// Returns how often a range of the source is in one plain piece.
    func copies(_ range: Range<Int>) -> Int {
        pieces.count {
            $0.isPlain && $0.sourceFrame <= range.lowerBound && $0.sourceFrame + Int64($0.frames) >= range.upperBound
        }
    }
}
