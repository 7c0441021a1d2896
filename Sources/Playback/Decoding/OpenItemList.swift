// SPDX-License-Identifier: GPL-3.0-or-later

/// The opened items in the order of their frames: those completely in the ring, those still to be written there, the
/// one being read, those opened ahead.
struct OpenItemList {
    private(set) var all: [OpenItem] = []
    /// The number of items that are completely in the ring.
    private(set) var writtenCount = 0
    /// The number of items that are completely read, including those in the ring.
    private(set) var readCount = 0

    /// The first item that is not completely in the ring; `nil` if all are.
    var writing: OpenItem? { writtenCount < all.count ? all[writtenCount] : nil }
    /// The item being read; `nil` if all opened items are read.
    var reading: OpenItem? { readCount < all.count ? all[readCount] : nil }
    /// The items after the one being read.
    var openedAhead: ArraySlice<OpenItem> { all.dropFirst(readCount + 1) }
    /// The first item that is completely read but not completely in the ring; `nil` if there is none.
    var unwritten: OpenItem? { writtenCount < readCount ? all[writtenCount] : nil }

    mutating func append(_ item: OpenItem) { all.append(item) }

    /// Notes that the item being read is completely read.
    mutating func finishReading() { readCount += 1 }

    /// Notes that the first unwritten item is completely in the ring.
    mutating func finishWriting() { writtenCount += 1 }

    /// Removes the item being read.
    mutating func removeReading() -> OpenItem { all.remove(at: readCount) }

    /// Removes the item of `generation` if it is completely in the ring.
    mutating func removeWritten(_ generation: UInt32) -> OpenItem? {
        guard let place = all.firstIndex(where: { $0.generation == generation }), place < writtenCount else {
            return nil
        }
        writtenCount -= 1
        readCount -= 1
        return all.remove(at: place)
    }

    /// Removes all items but `kept`, which is read next.
    mutating func removeAll(except kept: OpenItem?) -> [OpenItem] {
        let others = all.filter { $0 !== kept }
        self = OpenItemList()
        if let kept { append(kept) }
        return others
    }

    /// Removes the items of `generation` and later ones.
    /// - Returns: the removed items, and how many of the others are read but not written; `nil` for that number if the
    ///   item being read is not removed.
    mutating func removeAll(from generation: UInt32) -> (removed: ArraySlice<OpenItem>, unwritten: Int?) {
        let end = all.firstIndex { $0.generation >= generation } ?? all.count
        let removed = all[end...]
        let unwritten = end <= readCount ? max(0, end - writtenCount) : nil
        all.removeSubrange(end...)
        (writtenCount, readCount) = (min(writtenCount, end), min(readCount, end))
        return (removed, unwritten)
    }
}
