// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@Suite("AudioFormat")
struct AudioFormatTests {
    @Test(
        "Frames to time and back is the same frame",
        arguments: [8000, 11025, 12000, 16000, 22050, 24000, 32000, 44100, 48000, 96000, 192_000])
    func roundTrip(rate: Int) {
        let format = AudioFormat(sampleRate: rate, channels: 2)
        var generator = SeededGenerator(seed: UInt64(rate))
        for _ in 0..<500 {
            let frames = Int64.random(in: 0...(1 << 40), using: &generator)
            #expect(format.frames(in: format.duration(ofFrames: frames)) == frames)
        }
    }

    @Test("A second is the sample rate in frames")
    func second() {
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        #expect(format.duration(ofFrames: 44100) == .seconds(1))
        #expect(format.frames(in: .milliseconds(500)) == 22050)
    }

    @Test("A time beyond all frames does not trap")
    func hugeTime() {
        let format = AudioFormat(sampleRate: 48000, channels: 2)
        #expect(format.frames(in: .seconds(Int64.max)) > 1 << 60)
        #expect(format.frames(in: .seconds(Int64.min + 1)) < 0)
        let last = Duration.seconds(Int64.max / 48000) + .milliseconds(999)
        #expect(format.frames(in: last) > 1 << 60)
        #expect(format.frames(in: .zero - last) < 0)
    }

    @Test("A PCM frame has four bytes per channel")
    func bytes() {
        #expect(AudioFormat(sampleRate: 48000, channels: 2).bytesPerFrame == 8)
    }
}
