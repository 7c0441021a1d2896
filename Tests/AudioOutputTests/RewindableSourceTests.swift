// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@testable import AudioOutput

/// Gives each frame once, whatever number it is asked for, as long as there are any.
private final class Counter: RenderSource, @unchecked Sendable {
    var next: Int64 = 0
    var limit = Int64.max

    func render(into output: UnsafeMutablePointer<Float>, frames: Int, at outputFrame: Int64) -> Int {
        let count = Int(min(Int64(frames), limit - next))
        // Not "for in", which allocates unless it is optimised: the watchdog would see that.
        var index = 0
        while index < count {
            output[index] = Float(next + Int64(index))
            index += 1
        }
        next += Int64(count)
        return count
    }
}

/// A thousand frames are a second: as many as are remembered.
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

    @Test("asked in order it is its source; asked for earlier frames it gives them again, and then goes on")
    func rewinds() {
        #expect(frames(700, at: 0) == numbers(0..<700))
        #expect(frames(700, at: 700) == numbers(700..<1400))
        #expect(frames(100, at: 1390) == numbers(1390..<1490))
        #expect(frames(2000, at: 1000) == numbers(1000..<3000))
        #expect(frames(10, at: 3000) == numbers(3000..<3010))
    }

    @Test("it remembers a second, and says from where on")
    func memory() {
        _ = frames(900, at: 0)
        #expect(source.start == 0 && source.end == 900)
        _ = frames(5000, at: 900)
        #expect(source.start == 4900 && source.end == 5900)
        #expect(frames(1000, at: 4900) == numbers(4900..<5900))
    }

    @Test("a source that comes back short is remembered as far as it went")
    func short() {
        counter.limit = 30
        #expect(frames(100, at: 0) == numbers(0..<30))
        #expect(frames(100, at: 20) == numbers(20..<30))
        counter.limit = 50
        #expect(frames(100, at: 20) == numbers(20..<50))
    }

    @Test("asked for no frames it forgets what lies behind the place: there its source goes on")
    func flush() {
        _ = frames(300, at: 0)
        #expect(frames(0, at: 100) == [])
        #expect(frames(10, at: 100) == numbers(300..<310) && source.end == 110)
        #expect(frames(10, at: 95) == numbers(95..<100) + numbers(300..<305))
    }
}
