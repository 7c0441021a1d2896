// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Synchronization
import Testing

@testable import CodecTestSupport
@testable import Playback

@Suite("The sample rate of the output")
struct OutputRateTests {
    private func format(_ rate: Int, _ channels: Int = 2) -> AudioFormat {
        AudioFormat(sampleRate: rate, channels: channels)
    }

    @Test("A device gets 44.1 or 48 kHz, matching the highest known rate",
        arguments: [
            ([8000], 48_000), ([11_025], 44_100), ([22_050], 44_100), ([24_000], 48_000), ([32_000], 48_000),
            ([44_100], 44_100), ([48_000], 48_000), ([22_050, 44_100], 44_100), ([44_100, 48_000], 48_000),
        ])
    func device(known: [Int], rate: Int) {
        #expect(OutputRate.device.format(known.map { format($0) }, isAll: true).sampleRate == rate)
        #expect(OutputRate.file.format(known.map { format($0) }, isAll: false).sampleRate == rate)
    }

    @Test("A device gets at most 384 kHz, and a file the highest rate", arguments: [384_000, 384_001, 768_000])
    func highest(rate: Int) {
        #expect(OutputRate.device.format([format(rate), format(8000)], isAll: true) == format(384_000))
        #expect(OutputRate.file.format([format(rate), format(8000)], isAll: true) == format(rate))
    }

    @Test("A file of one item keeps the rate of that item")
    func single() {
        #expect(OutputRate.file.format([format(8000, 1)], isAll: true) == format(8000, 1))
    }

    private func play(_ list: [[UInt8]], _ rate: OutputRate) async -> (CapturingSink, Bool) {
        let stage = Stage(options: Player.Options(outputRate: rate))
        let isOver = await stage.playOut(list.map { MemoryByteSource($0) })
        _ = await stage.stop()
        return (stage.sink, isOver)
    }

    @Test(
        "A single item of a low rate is written without conversion, even while it is being downloaded",
        arguments: [false, true])
    func lowRate(arrives: Bool) async {
        let stage = Stage(options: Player.Options(outputRate: .file))
        let fixture = Fixture.slowMono
        let source = arrives ? MemoryByteSource(fixture.bytes, held: 2000) : MemoryByteSource(fixture.bytes)
        stage.append(source)
        stage.player.send(.closePlaylist)
        source.release()
        #expect(await eventually { stage.hasEnded })
        #expect(stage.sink.format == fixture.format)
        #expect(identical(stage.sink.samples, fixture.samples))
        #expect(await stage.stop())
    }

    @Test("A low-rate item before another item does not lower the output rate")
    func queue() async {
        let (sink, isOver) = await play([Fixture.slowMono.bytes, Fixture.cbr.bytes], .file)
        #expect(isOver && sink.format?.sampleRate == 44_100)
    }

    @Test("A mono item before a stereo item does not make the file mono")
    func channels() async {
        let (sink, isOver) = await play([Fixture.slowMono.bytes, Fixture.cbr.bytes], .file)
        #expect(Fixture.slowMono.format.channels == 1 && Fixture.cbr.format.channels == 2)
        #expect(isOver && sink.format?.channels == 2)
    }

    @Test("A file is not opened before the playlist is closed: a later item may be stereo")
    func laterItem() async {
        let stage = Stage(options: Player.Options(outputRate: .file))
        stage.append(MemoryByteSource(Fixture.mono.bytes))
        stage.player.send(.play)
        #expect(await eventually { stage.player.status.duration != .unknown })
        stage.append(MemoryByteSource(Fixture.cbr.bytes))
        stage.player.send(.closePlaylist)
        #expect(await eventually { stage.hasEnded })
        #expect(stage.sink.format == Fixture.cbr.format)
        #expect(await stage.stop())
    }

    @Test("A single item of a low rate in a container keeps its rate")
    func lowRateContainer() async {
        let file = WaveWriter(channels: 1, sampleRate: 22_050, frames: 40_000)
        let (sink, isOver) = await play([file.bytes], .file)
        #expect(isOver && sink.format == format(22_050, 1) && sink.frames == 40_000)
    }

    @Test("A low-rate start of an item does not lower the output rate for the rest", arguments: [OutputRate.file])
    func runs(rate: OutputRate) async {
        let (sink, isOver) = await play([Fixture.slowMono.bytes + Fixture.cbr.bytes], rate)
        #expect(isOver && sink.format == Fixture.cbr.format)
        // The frame count equals the sum of both parts.
        let frames = Double(Fixture.slowMono.packets.count * 576 * 2 + Fixture.cbr.packets.count * 1152)
        #expect(abs(Double(sink.frames) - frames) < 3000)
    }

    @Test("A file gets the highest rate of a chain, also if a later stream has it")
    func chain() async throws {
        let file = try TrackEncoder(seconds: 32).encodeLongChain([8, 2, 1, 5])
        let (sink, isOver) = await play([file.bytes], .file)
        #expect(file.parts[0].format == format(44_100, 1))
        #expect(isOver && sink.format == format(48_000, 1))
    }

    @Test("A file gets the highest rate of a chain on disk that is not its first item")
    func laterChain() async throws {
        let chain = try TrackEncoder(seconds: 32).encodeLongChain([8, 2, 1, 5])
        let stage = Stage(options: Player.Options(outputRate: .file))
        stage.sources.stored.withLock { $0 = [1] }
        #expect(await stage.playOut([MemoryByteSource(Fixture.mono.bytes), MemoryByteSource(chain.bytes)]))
        #expect(Fixture.mono.format == format(44_100, 1) && chain.parts[0].format == format(44_100, 1))
        #expect(stage.sink.format == format(48_000, 1))
        #expect(await stage.stop())
    }

    @Test("A device gets 44.1 kHz if the first item has a low rate")
    func device() async {
        let (sink, isOver) = await play([Fixture.slow.bytes], .device)
        #expect(isOver && sink.format?.sampleRate == 44_100)
    }
}
