// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Making the next frame the requested one: libsndfile seeks exactly where frames are stored individually.
extension SndfileReader {
    /// Moves to the frame at `position`.
    /// - Returns: True if there is a frame at `position`.
    func approach() throws(AudioFileError) -> Bool {
        guard position != nextFrame else { return true }
        if let frames = length.frames, position >= frames { return false }
        try jump(to: position)
        if position != nextFrame, let readError { throw readError }
        return position == nextFrame
    }

    private func jump(to frame: Int64) throws(AudioFileError) {
        if !handle.seek(to: frame) {
            if let failure = input.failure { throw .reading(name, failure) }
            // The position of libsndfile after a failed seek is undefined.
            try reopen()
            throw .damaged(path: name, reason: "the file is damaged or truncated: frame \(frame) is missing")
        }
        (nextFrame, readError) = (frame, nil)
    }

    private func reopen() throws(AudioFileError) {
        let input = SndfileInput(source, length: byteLength)
        do throws(SndfileFailure) {
            handle = try SndfileHandle(reading: input)
        } catch {
            throw input.failure.map { .reading(name, $0) }
                ?? .damaged(path: name, reason: "damaged file: \(error.reason)")
        }
        (self.input, readError, nextFrame) = (input, nil, 0)
    }
}
