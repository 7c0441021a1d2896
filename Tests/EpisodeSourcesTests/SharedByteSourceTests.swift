// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Synchronization
import Testing

@testable import EpisodeSources

@Suite("SharedByteSource")
struct SharedByteSourceTests {
    @Test("Each reader is notified of changes until it removes its handler or closes")
    func changes() throws {
        let source = MemoryByteSource([1, 2, 3, 4], held: 0)
        let shared = SharedByteSource(source)
        let handles = try (0..<2).map { _ in try #require(shared.handle()) }
        let told = Mutex([0, 0])
        for number in 0..<2 { handles[number].onChange { told.withLock { $0[number] += 1 } } }
        source.release(more: 1)
        handles[0].onChange(nil)
        source.release(more: 1)
        handles[1].close()
        source.release(more: 1)
        #expect(told.withLock { $0 } == [1, 2])
    }

    @Test("The source follows the oldest reader that has made a request")
    func needs() throws {
        let source = MemoryByteSource([1, 2, 3, 4], held: 0)
        let shared = SharedByteSource(source)
        let handles = try (0..<3).map { _ in try #require(shared.handle()) }
        handles[2].setReadPosition(from: 3)
        handles[1].setReadPosition(from: 2)
        handles[2].setReadPosition(from: 0)
        handles[1].close()
        handles[2].setReadPosition(from: 1)
        handles[1].setReadPosition(from: 0)
        #expect(source.needs == [3, 2, 1])
    }

    @Test("The source closes with its last reader and accepts no further readers")
    func closing() throws {
        let source = MemoryByteSource([1, 2, 3, 4])
        let shared = SharedByteSource(source)
        let first = try #require(shared.handle())
        let second = try #require(shared.handle())
        #expect(ByteSourceContract.readAll(first, bufferSize: 3) == source.content)
        first.close()
        first.close()
        #expect(!source.isClosed)
        #expect(ByteSourceContract.readAll(second, bufferSize: 3) == source.content)
        #expect(second.downloadProgress.condition == .complete)
        second.close()
        #expect(source.isClosed)
        #expect(shared.handle() == nil)
    }
}
