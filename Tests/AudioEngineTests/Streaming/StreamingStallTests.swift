// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Testing

@Suite("A StreamingSource on a stalling disk")
struct StreamingStallTests {
    @Test("A stall after the first frame is reported, playback continues with the very next one, and no order waits")
    func frozen() throws {
        let control = NumberReader.Control(arrived: 50_000)
        control.isFrozen = true
        let stream = try OfflineStream(NumberReader(frames: 50_000, control: control))
        #expect(stream.render(300) == [])
        #expect(stream.streamEvents == [])
        try stream.source.seek(to: 100)
        stream.source.setDirection(.forward)
        #expect(stream.source.status.starvedFrames == 0)
        control.isFrozen = false
        #expect(stream.pull(1000) == numbers(100..<1100))
        control.isFrozen = true
        var heard: [Float] = []
        while true {
            let part = stream.render(100)
            heard += part
            if part.count < 100 { break }
        }
        #expect(stream.streamEvents.contains { if case .starved = $0 { true } else { false } })
        #expect(stream.source.status.starvedFrames > 0)
        control.isFrozen = false
        heard += stream.pull(20_000)
        #expect(heard == numbers(1100..<1100 + Int64(heard.count)))
    }

    @Test("A source can be released during a stall, and then releases its reader")
    func released() async throws {
        let control = NumberReader.Control(arrived: 50_000)
        control.isFrozen = true
        do { _ = try OfflineStream(NumberReader(frames: 50_000, control: control)) }
        control.isFrozen = false
        #expect(await eventually { control.isReleased })
    }

    @Test("Without priming, the source's own thread decodes every frame in order")
    func ownThread() async throws {
        let stream = try OfflineStream(NumberReader(frames: 30_000))
        var heard: [Float] = []
        let isAll = await eventually {
            heard += stream.render(500)
            return heard.count == 30_000
        }
        #expect(isAll)
        #expect(heard == numbers(0..<30_000))
    }
}
