// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioFiles
import Media

/// An empty file of any format.
final class SilentReader: AudioFrameReader {
    let format: AudioFormat
    let length = AudioFileLength.exact(0)
    let position: Int64 = 0

    init(format: AudioFormat) { self.format = format }

    func seek(to frame: Int64) throws(AudioFileError) {}
    func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead { .end }
}
