// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Media

/// A reader that produces four seconds of silence.
final class Silence: AudioFrameReader {
    let format = AudioFormat(sampleRate: 1000, channels: 1)
    let length = AudioFileLength.exact(4000)
    private(set) var position: Int64 = 0
    func seek(to frame: Int64) { position = frame }
    func read(into slice: AudioBufferSlice) -> AudioFileRead {
        let count = min(slice.frames, Int(4000 - position))
        guard count > 0 else { return .end }
        slice.dropFirst(0, count: count).silence()
        position += Int64(count)
        return .frames(count)
    }
}
