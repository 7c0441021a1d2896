// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport
import Media
import Testing

@Suite("Saved time")
struct SavedTimeTests {
    private static let rate = 8000

    private static let speech: [Float] = {
        var speech = SyntheticSpeech(rate: rate)
        speech.addWords(5)
        for pause in [900, 350, 1500] {
            speech.add(pause)
            speech.addWords(1)
        }
        return speech.samples
    }()

    private static func run(_ settings: SoundSettings, block: Int) -> [MappedAudio.Piece] {
        guard var chain = ProcessingChain(settings, format: AudioFormat(sampleRate: rate, channels: 1)) else {
            return []
        }
        var (output, pieces) = (MappedAudio(channels: 1), [MappedAudio.Piece]())
        for first in stride(from: 0, to: speech.count, by: block) {
            speech[first..<min(speech.count, first + block)].withUnsafeBufferPointer {
                chain.process($0, from: Int64(first), into: &output)
            }
            // A ring takes what it has space for.
            let taken = output.frames / 3
            var left = taken
            for piece in output.pieces where left > 0 {
                pieces.append(piece.part(from: 0, count: min(left, piece.frames)))
                left -= piece.frames
            }
            output.removeFirst(taken)
        }
        chain.finish(into: &output)
        return pieces + output.pieces
    }

    @Test(
        "At each speed the cut frames are those that the pause shortener removed",
        arguments: [(1, 160), (0.75, 1111), (1.7, 4096), (2, 160), (3.5, 1111)])
    func separated(speed: Double, block: Int) {
        var shortener = PauseShortener(.strong, rate: Self.rate, channels: 1)
        _ = shortener.run(Self.speech, from: 0)
        let pieces = Self.run(SoundSettings(speed: speed, silenceTrimming: .strong), block: block)
        let (cut, source) = (pieces.reduce(0) { $0 + $1.cutFrames }, pieces.reduce(0) { $0 + $1.sourceFrames })
        #expect(shortener.savedFrames > Int64(Self.rate))
        #expect(Int64(cut) == shortener.savedFrames)
        #expect(source == Self.speech.count)
        #expect(pieces.allSatisfy { $0.cutFrames >= 0 })
        // The rest is exactly the work of the stretcher.
        let output = pieces.reduce(0) { $0 + $1.frames }
        #expect(abs(Double(source - cut) / speed - Double(output)) <= (speed > 3 ? Double(Self.rate) / 100 : 1))
    }

    @Test("A chain that knows the end of its item cuts nothing in the last 5 s, also after a change of the settings")
    func lastSeconds() throws {
        let format = AudioFormat(sampleRate: Self.rate, channels: 1)
        let speech = Self.speech + Self.speech
        let end = Int64(speech.count)
        let last = end - Int64(5 * Self.rate)
        let settings = SoundSettings(silenceTrimming: .strong)
        let whole = try #require(ProcessingChain(settings, format: format, itemFrames: end))
        let changed = try #require(
            ProcessingChain(settings, format: format)?
                .changed(to: SoundSettings(silenceTrimming: .medium), itemFrames: end))
        let unknown = try #require(ProcessingChain(settings, format: format))
        for (var chain, isKnown) in [(whole, true), (changed, true), (unknown, false)] {
            var output = MappedAudio(channels: 1)
            speech.withUnsafeBufferPointer { chain.process($0, from: 0, into: &output) }
            chain.finish(into: &output)
            let cuts = output.pieces.filter { $0.cutFrames > 0 }
            #expect(!cuts.isEmpty)
            #expect(cuts.allSatisfy { $0.sourceFrame + Int64($0.sourceFrames) <= last } == isKnown)
        }
    }

    @Test("Without shortened pauses no frame is cut")
    func onlySpeed() {
        #expect(Self.run(SoundSettings(speed: 1.7), block: 1000).allSatisfy { $0.cutFrames == 0 })
    }
}
