// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Playback

@Suite("ItemFrames")
struct ItemFramesTests {
    @Test(
        "The first block determines the number of the first frame, and later blocks follow it unless frames are lost",
        arguments: [(0, 600), (590, 600), (610, 600), (611, 611), (9000, 9000)] as [(Int64, Int64)])
    func numbers(second: Int64, next: Int64) {
        var frames = ItemFrames()
        #expect(frames.next == nil)
        frames.beginBlock(at: 500, tolerance: 10)
        frames.wrote(100)
        frames.beginBlock(at: second, tolerance: 10)
        #expect(frames.next == next)
    }

    @Test("The first block of another version is numbered again")
    func renumbers() {
        var frames = ItemFrames()
        frames.beginBlock(at: 0, tolerance: 10)
        frames.wrote(100)
        frames.renumber()
        // The converter may still deliver frames of the previous version.
        frames.wrote(20)
        #expect(frames.next == 120 && frames.isOutdated && frames.version == 0)
        frames.beginBlock(at: 9000, tolerance: 10)
        #expect(frames.next == 9000 && !frames.isOutdated && frames.version == 1 && frames.shift == 8880)
        frames.wrote(1)
        frames.beginBlock(at: 0, tolerance: 10)
        #expect(frames.next == 9001)
    }

    @Test("Each change of the version counts, also if the next version is replaced before its first block")
    func countsChanges() {
        var frames = ItemFrames()
        frames.beginBlock(at: 0, tolerance: 10)
        frames.renumber()
        frames.wrote(20)
        frames.renumber()
        #expect(frames.changes(since: 0) == 2)
        frames.beginBlock(at: 9000, tolerance: 10)
        #expect(frames.changes(since: 0) == 2 && frames.changes(since: 1) == 0 && frames.version == 1)
    }

    @Test("A version that changes before the first block leaves the number unknown")
    func renumbersEarly() {
        var frames = ItemFrames()
        frames.renumber()
        #expect(frames.next == nil)
    }

    @Test("The first mark is due until frames or the end mark are written, unless the item was announced")
    func firstMark() {
        var frames = ItemFrames()
        #expect(frames.needsFirstMark)
        frames.wrote(1)
        #expect(!frames.needsFirstMark)
        frames = ItemFrames()
        frames.wroteEndMark()
        #expect(!frames.needsFirstMark)
        #expect(!ItemFrames(isAnnounced: true).needsFirstMark)
    }

    @Test("An item is begun when some of it is decoded or announced")
    func hasBegun() {
        var frames = ItemFrames()
        #expect(!frames.hasBegun)
        frames.endBlock()
        #expect(frames.hasBegun && frames.needsFirstMark)
        #expect(ItemFrames(isAnnounced: true).hasBegun)
    }
}
