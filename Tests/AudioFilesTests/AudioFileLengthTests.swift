// SPDX-License-Identifier: GPL-3.0-or-later
import AudioFiles
import Testing

@Suite("AudioFileLength")
struct AudioFileLengthTests {
    @Test(
        "An exact or estimated length has a frame count, an unknown one has none",
        arguments: [(AudioFileLength.exact(3), 3), (.estimate(4), 4), (.unknown, nil)] as [(AudioFileLength, Int64?)])
    func frames(length: AudioFileLength, frames: Int64?) { #expect(length.frames == frames) }
}
