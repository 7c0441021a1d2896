// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import EarshotTestSupport

/// The output of a stage, collected.
struct StageRun {
    var samples: [Float] = []
    var pieces: [MappedAudio.Piece] = []

    /// The pieces that represent more source frames than they have.
    var cuts: [MappedAudio.Piece] { pieces.filter { $0.sourceFrames > $0.frames } }

    /// The number of source frames that were removed.
    var removed: Int { cuts.reduce(0) { $0 + $1.sourceFrames - $1.frames } }

    /// True if the pieces represent the source frames of a range, each once and in order.
    func represents(_ range: Range<Int64>) -> Bool {
        var next = range.lowerBound
        for piece in pieces {
            guard piece.sourceFrame == next else { return false }
            next += Int64(piece.sourceFrames)
        }
        return next == range.upperBound
    }

    func largestStep(_ range: Range<Int>) -> Float {
        range.map { abs(samples[$0 + 1] - samples[$0]) }.max() ?? 0
    }
}

extension PauseShortener {
    /// Processes samples in blocks of `block` frames.
    mutating func run(
        _ samples: [Float], channels: Int = 1, from start: Int64, block: Int = 1 << 20, finish: Bool = true
    ) -> StageRun {
        var output = MappedAudio(channels: channels)
        let count = samples.count / channels
        for first in stride(from: 0, to: count, by: block) {
            let frames = min(block, count - first)
            var input = MappedAudio(channels: channels)
            samples.withUnsafeBufferPointer { all in
                input.append(
                    UnsafeBufferPointer(rebasing: all[first * channels..<(first + frames) * channels]),
                    as: .init(sourceFrame: start + Int64(first), sourceFrames: frames, frames: frames))
            }
            process(input, into: &output)
        }
        if finish { self.finish(into: &output) }
        return StageRun(samples: output.withSamples { Array($0) }, pieces: output.pieces)
    }
}

/// A stage for 8 kHz mono that has processed 5 s of speech.
enum PrimedStage {
    /// The source frame that follows the speech.
    static let start: Int64 = 38_400

    private static let stage: PauseShortener = {
        var speech = SyntheticSpeech(seed: 7)
        speech.addWords(5)
        var stage = PauseShortener(.off, rate: 8000, channels: 1)
        _ = stage.run(speech.samples, from: start - speech.frames, finish: false)
        return stage
    }()

    static func make(_ trimming: SilenceTrimming) -> PauseShortener {
        var copy = stage
        copy.trimming = trimming
        return copy
    }

    /// Returns the output for a pause between two words.
    static func run(
        _ trimming: SilenceTrimming, pause: Int, _ signal: (_ time: Float) -> Float = { _ in 0 }
    ) -> StageRun {
        var speech = SyntheticSpeech()
        speech.addWord(160)
        speech.add(pause, signal)
        speech.addWord(160)
        var stage = make(trimming)
        return stage.run(speech.samples, from: start)
    }
}
