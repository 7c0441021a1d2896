// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import AudioProcessing

@Suite("MappedAudio")
struct MappedAudioTests {
    private typealias Piece = MappedAudio.Piece

    private func audio(_ pieces: [MappedAudio.Piece]) -> MappedAudio {
        var audio = MappedAudio(channels: 2)
        for piece in pieces {
            let samples = (0..<piece.frames).flatMap { frame -> [Float] in [Float(piece.sourceFrame) + Float(frame), 0]
            }
            samples.withUnsafeBufferPointer { audio.append($0, as: piece) }
        }
        return audio
    }

    @Test("Pieces that touch and are plain become one piece; all others stay apart")
    func joins() {
        let joined = audio([
            Piece(sourceFrame: 0, sourceFrames: 10, frames: 10), Piece(sourceFrame: 10, sourceFrames: 5, frames: 5),
        ])
        #expect(joined.pieces == [Piece(sourceFrame: 0, sourceFrames: 15, frames: 15)])
        let apart = [
            Piece(sourceFrame: 0, sourceFrames: 10, frames: 10), Piece(sourceFrame: 10, sourceFrames: 30, frames: 5),
            Piece(sourceFrame: 40, sourceFrames: 5, frames: 5), Piece(sourceFrame: 50, sourceFrames: 5, frames: 5),
        ]
        #expect(audio(apart).pieces == apart)
    }

    @Test("The parts of a piece touch in the output and in the source, wherever it is divided", arguments: 1..<7)
    func parts(offset: Int) {
        let piece = Piece(sourceFrame: 100, sourceFrames: 23, frames: 7)
        let (head, tail) = (piece.part(from: 0, count: offset), piece.part(from: offset, count: 7 - offset))
        #expect(head.sourceFrame == 100 && head.sourceFrame + Int64(head.sourceFrames) == tail.sourceFrame)
        #expect(head.sourceFrames + tail.sourceFrames == 23 && head.frames + tail.frames == 7)
    }

    @Test("Frames removed at the front take their pieces with them", arguments: [0, 1, 9, 10, 12, 15, 20])
    func removal(count: Int) {
        var rest = audio([
            Piece(sourceFrame: 0, sourceFrames: 10, frames: 10), Piece(sourceFrame: 50, sourceFrames: 10, frames: 10),
        ])
        rest.removeFirst(count)
        #expect(rest.frames == 20 - count)
        #expect(rest.pieces.reduce(0) { $0 + $1.frames } == 20 - count)
        let expected: Float? = count < 10 ? Float(count) : count < 20 ? Float(40 + count) : nil
        #expect(rest.withSamples { $0.first } == expected)
        #expect(rest.pieces.first?.sourceFrame == expected.map { Int64($0) })
    }
}
