// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@Suite("BlockQueue") struct BlockQueueTests {
    private func write(_ bytes: [UInt8], to queue: BlockQueue) -> Bool { bytes.withUnsafeBytes { queue.write($0) } }

    private func read(_ queue: BlockQueue) -> [UInt8]? {
        var block: [UInt8]?
        queue.read { block = Array($0) }
        return block
    }

    @Test("Blocks of any length are read back whole and in order, at any position of the ring",
        arguments: [1, 2, 3] as [UInt64])
    func inOrder(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let queue = BlockQueue(capacity: 256)
        var model: [[UInt8]] = []
        for _ in 0..<5000 {
            if Bool.random(using: &generator) {
                let length = Int.random(in: 0...queue.longestBlock, using: &generator)
                let block = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
                if write(block, to: queue) { model.append(block) }
            } else {
                #expect(read(queue) == (model.isEmpty ? nil : model.removeFirst()))
            }
        }
        while !model.isEmpty { #expect(read(queue) == model.removeFirst()) }
        #expect(read(queue) == nil)
    }

    @Test("An empty queue accepts the longest block at any position; a longer one is refused and counted")
    func longest() {
        let queue = BlockQueue(capacity: 128)
        for step in 0..<50 {
            let block = [UInt8](repeating: UInt8(step), count: queue.longestBlock)
            #expect(write(block, to: queue))
            #expect(read(queue) == block)
            #expect(write([1], to: queue))
            #expect(read(queue) == [1])
        }
        #expect(queue.refusedBlocks == 0)
        #expect(!write([UInt8](repeating: 0, count: queue.longestBlock + 1), to: queue))
        #expect(queue.refusedBlocks == 1)
    }

    @Test("A full queue refuses a block and keeps its content")
    func full() {
        let queue = BlockQueue(capacity: 64)
        var written = 0
        while write([UInt8(written)], to: queue) { written += 1 }
        #expect(written > 0)
        #expect((0..<written).map { _ in read(queue)?.first } == (0..<written).map { UInt8($0) })
    }

    @Test("A queue of zero or negative capacity works", arguments: [Int.min, -1, 0, 1])
    func tiny(capacity: Int) {
        let queue = BlockQueue(capacity: capacity)
        #expect(write([1, 2], to: queue))
        #expect(read(queue) == [1, 2])
    }

    @Test("Between two threads no byte is lost or corrupted")
    func threads() {
        let queue = BlockQueue(capacity: 512)
        let producer = WorkerThread.start {
            for number in 0..<1500 {
                let block = [UInt8](repeating: UInt8(truncatingIfNeeded: number), count: number % 100)
                while !block.withUnsafeBytes({ queue.write($0) }) {}
            }
        }
        var (next, wrong) = (0, 0)
        while next < 1500 {
            queue.read { block in
                let byte = UInt8(truncatingIfNeeded: next)
                if block.count != next % 100 || block.contains(where: { $0 != byte }) { wrong += 1 }
                next += 1
            }
        }
        producer?.join()
        #expect(wrong == 0)
    }
}
