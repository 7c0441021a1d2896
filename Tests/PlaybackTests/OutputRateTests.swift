// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("The rate of the output")
struct OutputRateTests {
    private func format(_ rate: Int, _ channels: Int = 2) -> AudioFormat {
        AudioFormat(sampleRate: rate, channels: channels)
    }

    @Test("a device has 44.1 kHz or more, and the highest rate known",
        arguments: [
            ([8000], 48_000), ([11_025], 44_100), ([22_050], 44_100), ([24_000], 48_000), ([32_000], 48_000),
            ([44_100], 44_100), ([48_000], 48_000), ([22_050, 44_100], 44_100), ([44_100, 48_000], 48_000),
        ])
    func device(known: [Int], rate: Int) {
        #expect(OutputRate.device.format(known.map { format($0) }, isAll: true).sampleRate == rate)
        #expect(OutputRate.file.format(known.map { format($0) }, isAll: false).sampleRate == rate)
    }

    @Test("a file of one item has the rate of that item")
    func single() {
        #expect(OutputRate.file.format([format(8000, 1)], isAll: true) == format(8000, 1))
    }

    private func play(_ list: [[UInt8]], _ rate: OutputRate) async -> (CapturingSink, Bool) {
        let stage = Stage(options: Player.Options(outputRate: rate))
        let isOver = await stage.playOut(list.map { MemoryByteSource($0) })
        _ = await stage.stop()
        return (stage.sink, isOver)
    }

    @Test("a single item of a low rate is written as it was decoded, also while it arrives", arguments: [false, true])
    func lowRate(arrives: Bool) async {
        let stage = Stage(options: Player.Options(outputRate: .file))
        let fixture = Fixture.slowMono
        let source = arrives ? MemoryByteSource(fixture.bytes, held: 2000) : MemoryByteSource(fixture.bytes)
        stage.append(source)
        stage.player.closePlaylist()
        source.release()
        #expect(await eventually { stage.hasEnded })
        #expect(stage.sink.format == fixture.format)
        #expect(identical(stage.sink.samples, fixture.samples))
        #expect(await stage.stop())
    }

    @Test("an item of a low rate in front of another takes no treble from it")
    func queue() async {
        let (sink, isOver) = await play([Fixture.slowMono.bytes, Fixture.cbr.bytes], .file)
        #expect(isOver && sink.format?.sampleRate == 44_100)
    }

    @Test("a low rate at the beginning of an item takes no treble from the rest of it", arguments: [OutputRate.file])
    func runs(rate: OutputRate) async {
        let (sink, isOver) = await play([Fixture.slowMono.bytes + Fixture.cbr.bytes], rate)
        #expect(isOver && sink.format == Fixture.cbr.format)
        // Not one frame more or less than both last.
        let frames = Double(Fixture.slowMono.packets.count * 576 * 2 + Fixture.cbr.packets.count * 1152)
        #expect(abs(Double(sink.frames) - frames) < 3000)
    }

    @Test("a device that begins with a low rate has 44.1 kHz")
    func device() async {
        let (sink, isOver) = await play([Fixture.slow.bytes], .device)
        #expect(isOver && sink.format?.sampleRate == 44_100)
    }
}
