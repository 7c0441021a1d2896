// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import Media
import Testing

@Suite("AudioBufferList")
struct AudioBufferListTests {
    @Test("The frame length is clamped to the capacity")
    func length() {
        var list = AudioBufferList(format: AudioFormat(sampleRate: 44100, channels: 2), frameCapacity: 8)
        list.frameLength = 99
        #expect(list.frameLength == 8)
        list.frameLength = -1
        #expect(list.frameLength == 0)
    }

    @Test("The planes of a planar list are separate, and a slice begins in each")
    func planar() {
        let format = AudioFormat(sampleRate: 44100, channels: 3, sampleType: .int16, isInterleaved: false)
        let list = AudioBufferList(format: format, frameCapacity: 5)
        for plane in 0..<3 {
            for frame in 0..<5 {
                let sample = Int16(plane * 10 + frame)
                list.slice.plane(plane).storeBytes(of: sample, toByteOffset: frame * 2, as: Int16.self)
            }
        }
        let part = list.slice.dropFirst(2, count: 2)
        #expect(part.frames == 2)
        #expect((0..<3).map { part.plane($0).load(as: Int16.self) } == [2, 12, 22])
    }
}
