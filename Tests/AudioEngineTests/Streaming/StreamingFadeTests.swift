// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Glibc
import Testing

@Suite("Fades of a StreamingSource")
struct StreamingFadeTests {
    /// A fade of 40 frames.
    private var options: StreamingSource.Options {
        var options = StreamingSource.Options.exact
        options.fade = .milliseconds(5)
        return options
    }

    @Test("A start fades in and a stop fades out linearly, and the stop advances by the frames of its fade")
    func startAndStop() throws {
        let stream = try OfflineStream(NumberReader(frames: 5000) { _, _ in 1 }, options: options)
        let line = (1...40).map { Float($0) / 40 }
        #expect(stream.pull(100) == line + [Float](repeating: 1, count: 60))
        stream.source.stop()
        #expect(stream.pull(100, slice: 17) == Array(line.reversed().dropFirst()) + [0])
        #expect(stream.source.status.frame == 140)
        stream.source.play()
        #expect(stream.pull(40) == line)
    }

    @Test("A seek crossfades at equal power from the old position to the new one", arguments: [100, 3000] as [Int64])
    func seek(target: Int64) throws {
        let stream = try OfflineStream(NumberReader(frames: 5000), options: options)
        _ = stream.pull(1000)
        try stream.source.seek(to: target)
        let heard = stream.pull(100, slice: 33)
        for index in 0..<40 {
            let angle = (Double(index) + 0.5) / 40 * .pi / 2
            let (old, new) = (1001 + Double(index), Double(target) + 1 + Double(index))
            #expect(abs(Double(heard[index]) - (old * cos(angle) + new * sin(angle))) < 0.01)
        }
        #expect(Array(heard[40...]) == numbers(target + 40..<target + 100))
    }

    @Test("A loop's end crossfades into the frames before its start, and a pass keeps its length",
        arguments: [0, 30, 1000] as [Int64], [PlayDirection.forward, .backward])
    func crossfade(start: Int64, direction: PlayDirection) throws {
        let (end, length, fade) = (start + 400, Int64(1400), 50)
        let stream = try OfflineStream(NumberReader(frames: length))
        stream.source.setDirection(direction)
        try stream.source.seek(to: direction == .forward ? start : end)
        try stream.source.setLoop(StreamLoop(from: start, to: end, times: 3, crossfade: fade, afterwards: .stop))
        let heard = stream.pull(2000, slice: 77)
        #expect(heard.count == 1200)
        for (index, sample) in heard.enumerated() {
            let inPass = Int64(index % 400)
            let frame = direction == .forward ? start + inPass : end - 1 - inPass
            let partner = direction == .forward ? frame - 400 : frame + 400
            let intoFade = Double(inPass) - Double(400 - fade)
            let isPlain = intoFade < 0 || index >= 800
            let angle = isPlain ? 0 : (intoFade + 0.5) / Double(fade) * .pi / 2
            let lead = partner >= 0 && partner < length ? Double(partner + 1) : 0
            #expect(abs(Double(sample) - (Double(frame + 1) * cos(angle) + lead * sin(angle))) < 0.01)
        }
    }

    @Test("Frames decoded beyond the lead are dropped after a seek or a turn")
    func lead() throws {
        var options = StreamingSource.Options.exact
        options.lead = .milliseconds(20)
        let stream = try OfflineStream(NumberReader(frames: 20_000), options: options)
        _ = stream.pull(1000)
        try stream.source.seek(to: 9000)
        #expect(stream.pull(200) == numbers(1000..<1160) + numbers(9000..<9040))
        stream.source.setDirection(.backward)
        #expect(stream.pull(400) == numbers(9040..<9200) + numbers((8960..<9200).reversed()))
    }

    @Test("No order clicks: adjacent samples differ by no more than the tone and the fades allow",
        arguments: [1, 2, 3, 4] as [UInt64])
    func click(seed: UInt64) throws {
        let step = 2 * Double.pi * 100 / 8000
        let stream = try OfflineStream(
            NumberReader(frames: 80_000) { frame, _ in Float(sin(Double(frame) * step)) },
            options: StreamingSource.Options())
        var generator = SeededGenerator(seed: seed)
        var last: Float = 0
        let bound = Float(step + 2 * Double.pi / 2 / 40)
        for _ in 0..<200 {
            switch Int.random(in: 0..<5, using: &generator) {
            case 0: try stream.source.seek(to: .random(in: 0...80_000, using: &generator))
            case 1: stream.source.setDirection(Bool.random(using: &generator) ? .forward : .backward)
            case 2: stream.source.stop()
            default: stream.source.play()
            }
            let wanted = Int.random(in: 1...1000, using: &generator)
            let heard = stream.pull(wanted)
            let hasEnded = heard.count < wanted
            for sample in heard + (hasEnded && !stream.source.status.hasFinished ? [0] : []) {
                #expect(abs(sample - last) <= bound)
                last = sample
            }
            // The file's own start and end are not faded.
            if stream.source.status.hasFinished {
                try stream.source.seek(to: 40_000)
                last = stream.pull(100).last ?? 0
            }
        }
    }
}
