// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
import Media

/// The sound along a path at another speed and unchanged pitch.
///
/// The stretcher reads ahead of its output, so `path` is ahead of the frames taken. Each piece of output states the
/// number of frames of the path that it represents.
struct StretchedPath: Sendable {
    /// The path after the frames that the stretcher received.
    var path: StreamPath
    private var stretcher: TimeStretcher
    private var output: MappedAudio
    /// The number of frames that the stretcher received.
    private var received: Int64 = 0

    init(_ path: StreamPath, speed: Double, format: AudioFormat) {
        self.path = path
        stretcher = TimeStretcher(speed: speed, sampleRate: format.sampleRate, channels: format.channels)
        output = MappedAudio(channels: format.channels)
    }

    /// Appends the next `frames` frames of the path, which then continues at `path`.
    mutating func append(_ samples: UnsafePointer<Float>, frames: Int, upTo path: StreamPath) {
        self.path = path
        let channels = output.channels
        let samples = UnsafeBufferPointer(start: samples, count: frames * channels)
        MappedAudio.Slice.with(samples, channels: channels, from: received) {
            stretcher.process($0, into: &output)
        }
        received += Int64(frames)
    }

    /// Ends the sound with the frames received so far.
    /// - Returns: true if frames of output follow.
    mutating func finish() -> Bool {
        stretcher.finish(into: &output)
        return output.frames > 0
    }

    /// Moves the next piece of output, at most `limit` frames, to `target`.
    mutating func takePiece(upTo limit: Int, into target: UnsafeMutablePointer<Float>) -> MappedAudio.Piece? {
        guard let first = output.pieces.first else { return nil }
        let piece = first.part(from: 0, count: min(first.frames, limit))
        output.withSamples { samples in
            guard let start = samples.baseAddress else { return }
            target.update(from: start, count: piece.frames * output.channels)
        }
        output.removeFirst(piece.frames)
        return piece
    }
}
