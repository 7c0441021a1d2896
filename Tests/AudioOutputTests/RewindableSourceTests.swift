// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@testable import AudioOutput

/// A source that renders each frame once, regardless of the requested frame, up to a limit.
private final class Counter: RenderSource, @unchecked Sendable {
    var next: Int64 = 0
    var limit = Int64.max

    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        let count = Int(min(Int64(frames), limit - next))
        // A `while` loop, since "for in" allocates in unoptimised builds, and the watchdog would report that.
        var index = 0
        while index < count {
            output[index] = Float(next + Int64(index))
            index += 1
        }
        next += Int64(count)
        return count
    }
}

/// At 1000 frames per second; one second is remembered.
@Suite("RewindableSource") struct RewindableSourceTests {
    private let counter = Counter()
    private let source: RewindableSource

    init() { source = RewindableSource(counter, format: AudioFormat(sampleRate: 1000, channels: 1)) }

    private func frames(_ count: Int, at frame: Int64) -> [Float] {
        [Float](unsafeUninitializedCapacity: count) { buffer, rendered in
            guard let start = buffer.baseAddress else { return }
            rendered = source.pull(into: start, frames: count, at: frame)
        }
    }

    private func numbers(_ range: Range<Int>) -> [Float] { range.map { Float($0) } }

    @Test("Requests in order pass through, and requests for earlier frames repeat them before the source continues")
    func rewinds() {
        #expect(frames(700, at: 0) == numbers(0..<700))
        #expect(frames(700, at: 700) == numbers(700..<1400))
        #expect(frames(100, at: 1390) == numbers(1390..<1490))
        #expect(frames(2000, at: 1000) == numbers(1000..<3000))
        #expect(frames(10, at: 3000) == numbers(3000..<3010))
    }

    @Test("The source remembers one second and reports its range")
    func memory() {
        _ = frames(900, at: 0)
        #expect(source.start == 0 && source.end == 900)
        _ = frames(5000, at: 900)
        #expect(source.start == 4900 && source.end == 5900)
        #expect(frames(1000, at: 4900) == numbers(4900..<5900))
    }

    @Test("After a short render the source remembers exactly the rendered frames")
    func short() {
        counter.limit = 30
        #expect(frames(100, at: 0) == numbers(0..<30))
        #expect(frames(100, at: 20) == numbers(20..<30))
        counter.limit = 50
        #expect(frames(100, at: 20) == numbers(20..<50))
    }

    @Test("A request for no frames forgets the frames after the position, where the source then continues")
    func flush() {
        _ = frames(300, at: 0)
        #expect(frames(0, at: 100) == [])
        #expect(frames(10, at: 100) == numbers(300..<310) && source.end == 110)
        #expect(frames(10, at: 95) == numbers(95..<100) + numbers(300..<305))
    }
}
