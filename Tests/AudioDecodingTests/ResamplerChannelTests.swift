// SPDX-License-Identifier: GPL-3.0-or-later
import AudioDecoding
import Glibc
import Media
import Testing

@testable import CodecTestSupport

@Suite("Resampler channels")
struct ResamplerChannelTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let input: [Float]
        let inputChannels: Int
        let output: [Float]
        let outputChannels: Int
        let layout: ChannelLayout?

        /// - Parameter layout: the loudspeakers of both formats; `nil` for the usual ones.
        init(
            _ description: String, _ input: [Float], channels inputChannels: Int, gives output: [Float],
            channels outputChannels: Int, layout: ChannelLayout? = []
        ) {
            testDescription = description
            self.input = input
            self.inputChannels = inputChannels
            self.output = output
            self.outputChannels = outputChannels
            self.layout = layout
        }
    }

    private static let half = Float(0.5.squareRoot())

    @Test(
        "Channels go to their loudspeakers; without loudspeakers they are duplicated, averaged or matched by number",
        arguments: [
            Row("mono to stereo", [1, 2, 3], channels: 1, gives: [1, 1, 2, 2, 3, 3], channels: 2),
            Row("stereo to mono", [1, 3, -1, 1, 0.5, 0.25], channels: 2, gives: [2, 0, 0.375], channels: 1),
            Row("four to mono", [1, 2, 3, 6], channels: 4, gives: [3], channels: 1),
            Row("three to stereo", [1, 2, 3, 4, 5, 6], channels: 3, gives: [1, 2, 4, 5], channels: 2),
            Row("stereo to three", [1, 2, 3, 4], channels: 2, gives: [1, 2, 0, 3, 4, 0], channels: 3),
            Row("5.1 to stereo", [0, 0, 1, 1, 0, 0], channels: 6, gives: [half, half], channels: 2, layout: nil),
            Row("mono to 5.1", [1], channels: 1, gives: [0, 0, 1, 0, 0, 0], channels: 6, layout: nil),
            Row("mono to stereo loudspeakers", [1, 2], channels: 1, gives: [1, 1, 2, 2], channels: 2, layout: nil),
        ])
    func mixing(row: Row) throws {
        let resampler = try Resampler(
            from: AudioFormat(sampleRate: 44100, channels: row.inputChannels, layout: row.layout),
            to: AudioFormat(sampleRate: 44100, channels: row.outputChannels, layout: row.layout))

        #expect(try resampler.run(row.input, cut: 2) == row.output)
    }

    @Test("A long input is mixed completely")
    func longRun() throws {
        let resampler = try Resampler(from: .mono(48000), to: .stereo(48000))
        let input = (0..<10_000).map { Float($0) }

        let output = try resampler.run(input, cut: 10_000)

        #expect(output == input.flatMap { [$0, $0] })
    }

    @Test("Rate and channels change together", arguments: [(44100, 48000), (48000, 44100), (22050, 44100)])
    func rateAndChannels(from: Int, to: Int) throws {
        let mono = (0..<5000).map { Float(sin(Double($0) / 15)) }
        let stereo = mono.flatMap { [$0 * 1.5, $0 * 0.5] }
        let expected = try Resampler(from: .mono(from), to: .mono(to)).run(mono, cut: 1152)

        let widened = try Resampler(from: .mono(from), to: .stereo(to)).run(mono, cut: 700)
        let narrowed = try Resampler(from: .stereo(from), to: .mono(to)).run(stereo, cut: 700)
        let kept = try Resampler(from: .stereo(from), to: .stereo(to)).run(stereo, cut: 700)

        #expect(difference(widened, expected.flatMap { [$0, $0] }) < 1e-6)
        #expect(difference(narrowed, expected) < 1e-6)
        #expect(difference(kept, expected.flatMap { [$0 * 1.5, $0 * 0.5] }) < 1e-5)
    }
}
