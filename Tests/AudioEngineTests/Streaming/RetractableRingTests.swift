// SPDX-License-Identifier: GPL-3.0-or-later
@testable import AudioEngine
import EarshotTestSupport
import Synchronization
import Testing

@Suite("RetractableRing")
struct RetractableRingTests {
    private func write(_ numbers: ClosedRange<Int>, to ring: borrowing RetractableRing) {
        numbers.map(Float.init).withUnsafeBufferPointer { ring.write($0) }
    }

    private func take(_ frames: Int, from ring: borrowing RetractableRing) -> [Float] {
        [Float](unsafeUninitializedCapacity: frames) { buffer, count in
            guard let start = buffer.baseAddress else { return }
            count = ring.read(into: start, frames: frames)
        }
    }

    @Test("Retracted frames are not rendered but can still be copied; claimed frames stay")
    func retract() {
        let ring = RetractableRing(capacity: 16, channels: 1)
        write(1...10, to: ring)
        #expect(take(3, from: ring) == [1, 2, 3])
        #expect(ring.retract(keeping: 2) == 5)
        var old: [Float] = [0, 0, 0]
        old.withUnsafeMutableBufferPointer { buffer in
            guard let start = buffer.baseAddress else { return }
            ring.copyRetracted(from: 5, frames: 3, to: start)
        }
        #expect(old == [6, 7, 8])
        write(20...22, to: ring)
        #expect(take(9, from: ring) == [4, 5, 20, 21, 22])
        #expect(ring.retract(keeping: 9) == 8)
        #expect(ring.writableFrames == 16)
    }

    /// The frames that the writer expects to be rendered.
    private final class Shared: Sendable {
        let ring = RetractableRing(capacity: 64, channels: 1)
        let truth = Mutex<[Float]>([])
        let isDone = Atomic<Bool>(false)
    }

    @Test("Between two threads the writer knows exactly which frames are rendered, for any retractions",
        arguments: [1, 2, 3] as [UInt64])
    func twoThreads(seed: UInt64) async {
        let shared = Shared()
        let writer = Task.detached { await Self.write(shared, seed: seed) }
        var generator = SeededGenerator(seed: seed &+ 9)
        var heard: [Float] = []
        while true {
            let wasDone = shared.isDone.load(ordering: .acquiring)
            let part = take(.random(in: 1...40, using: &generator), from: shared.ring)
            heard += part
            if wasDone, part.isEmpty { break }
            if part.isEmpty { await Task.yield() }
        }
        await writer.value
        #expect(heard == shared.truth.withLock { $0 })
    }

    private static func write(_ shared: Shared, seed: UInt64) async {
        var generator = SeededGenerator(seed: seed)
        var next: Float = 0
        for _ in 0..<20_000 {
            let count = min(shared.ring.writableFrames, Int.random(in: 1...20, using: &generator))
            let samples = (0..<count).map { next + Float($0) }
            next += 20
            samples.withUnsafeBufferPointer { shared.ring.write($0) }
            shared.truth.withLock { $0 += samples }
            if Int.random(in: 0..<3, using: &generator) == 0 {
                let end = shared.ring.retract(keeping: .random(in: 0...8, using: &generator))
                shared.truth.withLock { $0.removeSubrange(end...) }
            }
            if count == 0 { await Task.yield() }
        }
        shared.isDone.store(true, ordering: .releasing)
    }
}
