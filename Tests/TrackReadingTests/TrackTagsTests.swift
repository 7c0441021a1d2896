// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing
import TrackReading

@testable import CodecTestSupport

@Suite("Tags of a track")
struct TrackTagsTests {
    @Test("The gain of an MP4 file is found when its index has arrived, and no byte is requested for it")
    func movieGain() {
        var builder = MP4Builder(MP4Builder.payloads(200))
        builder.userData = BoxWriter.udta(BoxWriter.comment("replaygain_track_gain", "-6.50 dB"))
        let bytes = builder.build().bytes
        let source = MemoryByteSource(bytes, held: 500)
        let reader = TrackFormat.container(.mp4).makeReader(source)
        #expect(reader.statedGain == nil)
        source.release()
        #expect(reader.statedGain == TrackGain(decibels: -6.5, reference: .replayGain))
        #expect(source.needs == [])
    }
}
