// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles
import Testing

@Suite("AudioFileLength")
struct AudioFileLengthTests {
    @Test(
        "the number stands there however sure it is",
        arguments: [(AudioFileLength.exact(3), 3), (.estimate(4), 4), (.unknown, nil)] as [(AudioFileLength, Int64?)])
    func frames(length: AudioFileLength, frames: Int64?) { #expect(length.frames == frames) }
}
