// SPDX-License-Identifier: GPL-3.0-or-later

extension MappedAudio {
    /// Appends the first `count` frames of `other` with their pieces.
    mutating func append(first count: Int, of other: borrowing MappedAudio) {
        var offset = 0
        for piece in other.pieces {
            let frames = min(piece.frames, count - offset)
            guard frames > 0 else { return }
            let samples = (offset * channels)..<((offset + frames) * channels)
            let part = piece.part(from: 0, count: frames)
            other.withSamples { append(UnsafeBufferPointer(rebasing: $0[samples]), as: part) }
            offset += frames
        }
    }

    /// Returns the source frame that output frame `offset` represents; for `frames`, the end of the last piece.
    func sourceFrame(at offset: Int) -> Int64 {
        var left = offset
        for piece in pieces {
            if left <= piece.frames { return piece.sourceFrame(at: left) }
            left -= piece.frames
        }
        preconditionFailure("offset past the end")
    }

    /// Returns the number of omitted source frames that the output frames before `offset` represent.
    func cutFrames(before offset: Int) -> Int {
        var left = offset
        var sum = 0
        for piece in pieces where left > 0 {
            sum += piece.cutFrames(before: min(left, piece.frames))
            left -= piece.frames
        }
        return sum
    }
}
