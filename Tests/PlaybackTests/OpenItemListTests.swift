// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Playback

@Suite("OpenItemList and Generations")
struct OpenItemListTests {
    /// Returns a list of items of the generations 0, 1, 2 …
    private func list(of count: UInt32, read: Int, written: Int) -> OpenItemList {
        var list = OpenItemList()
        for generation in 0..<count {
            list.append(OpenItem(ItemReader.make(MemoryByteSource([])), generation: generation))
        }
        for _ in 0..<read { list.finishReading() }
        for _ in 0..<written { list.finishWriting() }
        return list
    }

    @Test("Items move from opened ahead over being read and being written to the ring")
    func stages() {
        var list = list(of: 3, read: 0, written: 0)
        #expect(list.reading === list.all[0] && list.writing === list.all[0] && list.unwritten == nil)
        #expect(list.openedAhead.map(\.generation) == [1, 2])
        list.finishReading()
        #expect(list.reading === list.all[1] && list.unwritten === list.all[0])
        list.finishWriting()
        #expect(list.writing === list.all[1] && list.unwritten == nil)
        list.finishReading()
        list.finishReading()
        #expect(list.reading == nil && list.openedAhead.isEmpty)
    }

    @Test("Only an item that is completely in the ring is removed as written")
    func removesWritten() {
        var list = list(of: 3, read: 2, written: 1)
        #expect([1, 7, 0].map { list.removeWritten($0)?.generation } == [nil, nil, 0])
        #expect(list.writing?.generation == 1 && list.reading?.generation == 2)
        #expect(list.writtenCount == 0 && list.readCount == 1)
    }

    @Test("Only the kept item remains, and it is read next")
    func keepsOne() {
        var list = list(of: 3, read: 2, written: 1)
        let kept = list.all[1]
        #expect(list.removeAll(except: kept).map(\.generation) == [0, 2])
        #expect(list.all.count == 1 && list.reading === kept && list.writing === kept)
        #expect(list.removeAll(except: nil).count == 1)
        #expect(list.all.isEmpty)
    }

    @Test(
        "The removal of the last generations returns how many of the others are read but not written",
        arguments: [(0, 0), (1, 0), (2, 1), (3, 2), (4, nil), (9, nil)] as [(UInt32, Int?)])
    func removesLast(first: UInt32, unwritten: Int?) {
        // One item is written, two are read, the fourth is being read, the fifth is opened ahead.
        var list = list(of: 5, read: 3, written: 1)
        let result = list.removeAll(from: first)
        #expect(result.unwritten == unwritten)
        #expect(result.removed.map(\.generation) == (0..<5).filter { $0 >= first })
        #expect(list.all.count == min(5, Int(first)))
        #expect(list.readCount == min(3, Int(first)) && list.writtenCount == min(1, Int(first)))
    }

    @Test("A splice makes all later generations stale, and a restart all earlier ones")
    func generations() {
        var generations = Generations()
        #expect((0..<4).map { _ in generations.make() } == [0, 1, 2, 3])
        generations.splice(from: 2)
        #expect(generations.splicedAway == 2..<4 && generations.oldest == 0)
        let new = generations.make()
        #expect(new == 5)
        generations.discard(before: new)
        #expect(generations.splicedAway.isEmpty && generations.oldest == 5)
    }
}
