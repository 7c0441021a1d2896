// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import EarshotTestSupport
import Glibc
import Testing

@Suite("Playback rates of a StreamingSource at unchanged pitch")
struct StreamingPitchTests {
    private static let period = 40

    /// Returns a stream of a tone of 200 Hz at 8 kHz.
    private func tone(_ frames: Int64, _ control: NumberReader.Control? = nil) throws -> OfflineStream {
        try OfflineStream(
            NumberReader(frames: frames, length: control.map { _ in .unknown }, control: control) { frame, _ in
                Float(sin(2 * Double.pi * Double(frame) / Double(Self.period)))
            })
    }

    @Test("The duration changes with the rate, and the pitch stays", arguments: [0.25, 0.5, 0.75, 1.3, 2, 3, 4])
    func pitch(rate: Double) throws {
        let stream = try tone(20_000)
        try stream.source.setRate(rate, keepsPitch: true)

        let heard = stream.pull(100_000, slice: 700)

        // Above triple speed the end may be 10 ms longer, below half speed 75 ms shorter.
        #expect(((rate < 0.5 ? -600 : -1)...80).contains(Double(heard.count) - 20_000 / rate))
        let checked = heard.dropLast(1500)
        let error = zip(checked, checked.dropFirst(Self.period)).map { abs($0 - $1) }.max() ?? 1
        #expect(error < 1e-3)
        #expect(stream.streamEvents == [.finished])
        #expect(stream.source.status.frame == 20_000)
        #expect(stream.source.status.rate == rate)
    }

    @Test("The position is that of the rendered sound, and it never moves back", arguments: [0.6, 1.7, 2.9])
    func position(rate: Double) throws {
        let stream = try OfflineStream(NumberReader(frames: 60_000) { frame, _ in Float(frame) })
        try stream.source.setRate(rate, keepsPitch: true)
        var last: Int64 = 0
        for _ in 0..<2000 {
            let sample = try #require(stream.pull(7, slice: 7).last)
            let frame = stream.source.status.frame
            #expect(frame >= last)
            // Within a splice the sound is a mix of two places: 15 ms.
            #expect(abs(Double(sample) - Double(frame)) <= 120)
            last = frame
        }
    }

    @Test(
        "Passes of a loop are counted, and the last one ends with the section",
        arguments: [PlayDirection.forward, .backward])
    func loop(direction: PlayDirection) throws {
        let stream = try tone(20_000)
        try stream.source.setLoop(StreamLoop(from: 4000, to: 12_000, times: 3, crossfade: 80, afterwards: .stop))
        try stream.source.setRate(1.6, keepsPitch: true)
        stream.source.setDirection(direction)
        try stream.source.seek(to: direction == .forward ? 4000 : 12_000)

        let heard = stream.pull(100_000)

        #expect(heard.count == 15_000)
        let status = stream.source.status
        #expect(status.repeats == 2 && status.hasFinished)
        #expect(status.frame == (direction == .forward ? 12_000 : 4000))
    }

    @Test("The sound does not depend on when the frames of the file arrive")
    func arriving() throws {
        let whole = try tone(9000)
        try whole.source.setRate(0.7, keepsPitch: true)
        let expected = whole.pull(20_000)
        let control = NumberReader.Control(arrived: 0)
        let growing = try tone(9000, control)
        try growing.source.setRate(0.7, keepsPitch: true)
        var heard: [Float] = []
        for arrived in stride(from: 0, through: 9000, by: 450) {
            control.arrived = Int64(arrived)
            heard += growing.pull(20_000)
        }
        #expect(heard == expected)
    }

    @Test("A loop that exceeds the file ends with it")
    func shortFile() throws {
        let stream = try tone(6000, NumberReader.Control(arrived: 6000))
        try stream.source.setLoop(StreamLoop(from: 2000, to: 50_000, times: 2, afterwards: .stop))
        try stream.source.seek(to: 2000)
        try stream.source.setRate(2, keepsPitch: true)

        #expect(stream.pull(20_000).count == 4000)
        #expect(stream.source.status.frame == 6000)
    }

    @Test("Changes during playback make no click, and rate 1 is bit-exact again")
    func changes() throws {
        var options = StreamingSource.Options()
        options.lead = .zero
        let reader = NumberReader(frames: 400_000) { frame, _ in
            Float(sin(2 * Double.pi * Double(frame) / Double(Self.period)))
        }
        let stream = try OfflineStream(reader, options: options)
        var heard = stream.pull(1000)
        for step in 0..<100 {
            try stream.source.setRate([0.5, 1, 1.35, 2.4][step % 4], keepsPitch: true)
            heard += stream.pull(317 + step)
        }
        // A crossfade of 5 ms between two places of a tone adds to its own steps.
        let steps = zip(heard.dropFirst(100), heard.dropFirst(101)).map { abs($0 - $1) }
        #expect(steps.max() ?? 1 < 2 * Float(2 * Double.pi) / Float(Self.period))
        try stream.source.setRate(1, keepsPitch: true)
        _ = stream.pull(1000)
        let start = stream.source.status.frame
        #expect(
            stream.pull(1000)
                == (start..<start + 1000).map { frame in
                    Float(sin(2 * Double.pi * Double(frame) / Double(Self.period)))
                })
    }

    @Test(
        "Random orders keep the position in the file, and the sound ends",
        arguments: 1...LongTests.size(6 as UInt64, inFull: 20))
    func orders(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let frames = Int64.random(in: 1...20_000, using: &generator)
        let stream = try tone(frames)
        for _ in 0..<40 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: try stream.source.seek(to: .random(in: 0...frames, using: &generator))
            case 1: stream.source.setDirection(Bool.random(using: &generator) ? .forward : .backward)
            case 2:
                let start = Int64.random(in: 0..<frames, using: &generator)
                let end = Int64.random(in: start + 1...frames, using: &generator)
                try stream.source.setLoop(
                    StreamLoop(from: start, to: end, times: .random(in: 1...4, using: &generator)))
            default: try stream.source.setRate(.random(in: 0.25...4, using: &generator), keepsPitch: true)
            }
            let heard = stream.pull(
                .random(in: 1...4000, using: &generator), slice: .random(in: 1...900, using: &generator))
            #expect(heard.allSatisfy { abs($0) <= 1.001 })
            #expect((0...frames).contains(stream.source.status.frame))
        }
        try stream.source.setLoop(nil)
        stream.source.setDirection(.forward)
        _ = stream.pull(200_000)
        let status = stream.source.status
        #expect(status.hasFinished && status.frame == frames && status.failure == nil)
    }
}
