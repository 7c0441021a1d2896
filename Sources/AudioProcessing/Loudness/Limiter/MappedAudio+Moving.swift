// SPDX-License-Identifier: GPL-3.0-or-later

extension MappedAudio {
    /// Moves up to `count` frames from the front to the end of `output`. A piece that is not plain moves only as a
    /// whole, so that the pieces of the output do not depend on the division of the input.
    mutating func moveFirst(_ count: Int, to output: inout MappedAudio) {
        var moved = 0
        for piece in pieces {
            let part = piece.isPlain ? min(piece.frames, count - moved) : piece.frames
            guard part > 0, moved + part <= count else { break }
            withSamples { samples in
                let range = moved * channels..<(moved + part) * channels
                output.append(
                    UnsafeBufferPointer(rebasing: samples[range]),
                    as: part < piece.frames ? piece.part(from: 0, count: part) : piece)
            }
            moved += part
        }
        removeFirst(moved)
    }
}
