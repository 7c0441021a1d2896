// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import Media
import Testing

@Suite("AudioBufferSlice")
struct AudioBufferSliceTests {
    static let formats = SampleType.allCases.flatMap { type in
        [true, false].flatMap { interleaved in
            [1, 2, 3].map {
                AudioFormat(sampleRate: 48000, channels: $0, sampleType: type, isInterleaved: interleaved)
            }
        }
    }

    @Test("A copy has as many frames as both slices", arguments: formats)
    func copies(format: AudioFormat) {
        let source = AudioBufferList.counting(format, frames: 7)
        let target = AudioBufferList(format: format, frameCapacity: 10)

        #expect(target.slice.dropFirst(2).copy(from: source.slice) == 7)
        #expect(target.slice.frameNumbers == [0, 0, 1, 2, 3, 4, 5, 6, 7, 0])
        #expect(target.slice.dropFirst(9).copy(from: source.slice) == 1)
        #expect(target.slice.frameNumbers == [0, 0, 1, 2, 3, 4, 5, 6, 7, 1])
    }

    @Test("Overlapping frames are copied correctly", arguments: formats)
    func overlap(format: AudioFormat) {
        let forward = AudioBufferList.counting(format, frames: 9)
        forward.slice.dropFirst(2).copy(from: forward.slice.dropFirst(0, count: 7))
        #expect(forward.slice.frameNumbers == [1, 2, 1, 2, 3, 4, 5, 6, 7])

        let back = AudioBufferList.counting(format, frames: 9)
        back.slice.copy(from: back.slice.dropFirst(2))
        #expect(back.slice.frameNumbers == [3, 4, 5, 6, 7, 8, 9, 8, 9])
    }

    @Test("Frames of another format are not copied, except at another rate", arguments: formats)
    func otherFormat(format: AudioFormat) {
        let list = AudioBufferList.counting(format, frames: 3)
        for other in Self.formats where other != format {
            let same = other.channels == 1 && format.channels == 1 && other.sampleType == format.sampleType
            let source = AudioBufferList(format: other, frameCapacity: 3)
            #expect(list.slice.copy(from: source.slice) == (same ? 3 : 0))
        }
        let faster = AudioFormat(
            sampleRate: 96000, channels: format.channels, sampleType: format.sampleType,
            isInterleaved: format.isInterleaved)
        let target = AudioBufferList(format: faster, frameCapacity: 9)
        #expect(target.slice.copy(from: list.slice) == 3)
    }

    @Test("A slice is silenced without affecting other frames", arguments: formats)
    func silence(format: AudioFormat) {
        let list = AudioBufferList.counting(format, frames: 9)
        list.slice.dropFirst(3, count: 4).silence()
        #expect(list.slice.frameNumbers == [1, 2, 3, 0, 0, 0, 0, 8, 9])
    }

    @Test("A slice is reversed", arguments: formats)
    func reverse(format: AudioFormat) {
        for frames in 0...40 {
            let list = AudioBufferList.counting(format, frames: frames + 2)
            list.slice.dropFirst(1, count: frames).reverse()
            #expect(list.slice.frameNumbers == [1] + (0..<frames).map { frames + 1 - $0 } + [frames + 2])
        }
    }

    @Test("Bounds outside a slice are clamped")
    func bounds() {
        let list = AudioBufferList.counting(AudioFormat(sampleRate: 8000, channels: 1), frames: 4)
        #expect(list.slice.dropFirst(-3, count: 2).frameNumbers == [1, 2])
        #expect(list.slice.dropFirst(9).frames == 0)
        #expect(list.slice.dropFirst(1, count: -1).frames == 0)
        #expect(list.slice.dropFirst(.max, count: .max).frames == 0)
    }

    @Test("A list copies a slice and appends frames while there is space", arguments: formats)
    func list(format: AudioFormat) {
        let source = AudioBufferList.counting(format, frames: 5)
        let copy = AudioBufferList(copying: source.slice.dropFirst(1))
        source.slice.silence()
        #expect(copy.slice.frameNumbers == [2, 3, 4, 5])

        var list = AudioBufferList(format: format, frameCapacity: 6)
        list.frameLength = 0
        #expect(list.append(copy.slice) == 4)
        #expect(list.append(copy.slice) == 2)
        #expect(list.append(copy.slice) == 0)
        #expect(list.slice.frameNumbers == [2, 3, 4, 5, 2, 3])
    }
}
