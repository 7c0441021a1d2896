// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Testing

private let stereo = AudioFormat(sampleRate: 1000, channels: 2)

@Suite("Tap") struct TapTests {
    private let events = EventThread(every: nil)

    @Test("A tap delivers every frame once, in order and with its number, and passes it on unchanged")
    func passes() {
        let (seen, starts) = (Diary<Float>(), Diary<Int64>())
        let source = FunctionSignal(channels: 2) { Float($0 * 2) + Float($1) }
        let tap = Tap(source, format: stereo, events: events) { slice, frame in
            starts.note(frame)
            for sample in samples(of: slice) { seen.note(sample) }
        }
        let heard = rendered(tap, 100, format: stereo, block: 30, from: 10, events: events)
        #expect(heard == (20..<220).map { Float($0) })
        #expect(seen.entries == heard)
        #expect(starts.entries == [10, 40, 70, 100])
    }

    @Test("Frames that do not fit into the buffer are dropped and counted, and the frame numbers show the gap")
    func dropped() {
        let starts = Diary<Int64>()
        let source = frameNumbers(channels: 2)
        let tap = Tap(source, format: stereo, buffering: .milliseconds(64), events: events) { starts.note($1) }
        _ = rendered(tap, 200, format: stereo, block: 50)
        #expect(tap.droppedFrames == 150)
        events.drain()
        _ = rendered(tap, 50, format: stereo, block: 50, from: 200, events: events)
        #expect(starts.entries == [0, 200])
        #expect(tap.droppedFrames == 150)
    }

    @Test("If the source renders fewer frames, the tap sees exactly those")
    func short() {
        let seen = Diary<Float>()
        let tap = Tap(frameNumbers(channels: 2, end: 3), format: stereo, events: events) { slice, _ in
            for sample in samples(of: slice) { seen.note(sample) }
        }
        #expect(rendered(tap, 10, format: stereo, events: events).count == 6)
        #expect(seen.entries == [0, 0, 1, 1, 2, 2])
    }
}

private func number(_ samples: UnsafeMutablePointer<Float>, _ frames: Int, from start: Float) {
    var index = 0
    while index < frames {
        samples[index] = start + Float(index)
        index += 1
    }
}

private func writeContext(
    _ context: UnsafeMutableRawPointer?, _ samples: UnsafeMutablePointer<Float>, _ frames: Int, _ frame: Int64
) -> Int {
    let value = context?.load(as: Float.self) ?? -1
    number(samples, frames, from: value + Float(frame))
    return frames + 5
}

private func sumUp(
    _ context: UnsafeMutableRawPointer?, _ samples: UnsafePointer<Float>, _ frames: Int, _ frame: Int64
) {
    var index = 0
    while index < frames {
        context?.assumingMemoryBound(to: Float.self).pointee += samples[index]
        index += 1
    }
}

@Suite("Render callbacks") struct RenderCallbackTests {
    private let mono = AudioFormat(sampleRate: 1000, channels: 1)

    @Test("A closure renders its frames, and an impossible count is clamped", arguments: [
        (2, [0, 1] as [Float]), (-1, []), (99, [0, 1, 2, 3]),
    ])
    func closure(claimed: Int, heard: [Float]) {
        let source = RenderCallbackSource { samples, frames, frame in
            number(samples, frames, from: Float(frame))
            return claimed
        }
        #expect(rendered(source, 4, format: mono) == heard)
    }

    @Test("C functions receive their context")
    func functions() {
        var (base, sum): (Float, Float) = (100, 0)
        withUnsafeMutablePointer(to: &base) { base in
            withUnsafeMutablePointer(to: &sum) { sum in
                let source = RenderCallbackSource(writeContext, context: base)
                let sink = RenderCallbackSink(source, sumUp, context: sum)
                #expect(rendered(sink, 4, format: mono, block: 2, from: 1) == [101, 102, 103, 104])
            }
        }
        #expect(sum == 410)
    }

    @Test("A sink sees exactly the frames that pass")
    func sink() {
        struct Sight: BitwiseCopyable, Sendable, Equatable { var frame: Int64, frames: Int, first: Float }
        let seen = RenderLog<Sight>()
        let sink = RenderCallbackSink(frameNumbers(end: 3)) { samples, frames, frame in
            seen.note(Sight(frame: frame, frames: frames, first: samples[0]))
        }
        #expect(rendered(sink, 8, format: mono, block: 2) == [0, 1, 2])
        #expect(rendered(sink, 8, format: mono, from: 3) == [])
        #expect(seen.entries == [Sight(frame: 0, frames: 2, first: 0), Sight(frame: 2, frames: 1, first: 2)])
    }
}
