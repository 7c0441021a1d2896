// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// A log of entries from a realtime thread, in order, up to 20,000; noting an entry does not allocate.
final class RenderLog<Entry: BitwiseCopyable & Sendable>: Sendable {
    private static var capacity: Int { 20_000 }
    // One thread writes; others read the entries up to the count.
    private nonisolated(unsafe) let all = UnsafeMutablePointer<Entry>.allocate(capacity: RenderLog.capacity)
    private let noted = Atomic<Int>(0)

    deinit { all.deallocate() }

    func note(_ entry: Entry) {
        let place = noted.load(ordering: .relaxed)
        guard place < Self.capacity else { return }
        all[place] = entry
        noted.store(place + 1, ordering: .releasing)
    }

    var count: Int { noted.load(ordering: .acquiring) }
    var entries: [Entry] { (0..<count).map { all[$0] } }
}

/// A log of entries from any thread, in order.
final class Diary<Entry: Sendable>: Sendable {
    private let all = Mutex<[Entry]>([])
    func note(_ entry: Entry) { all.withLock { $0.append(entry) } }
    var entries: [Entry] { all.withLock { $0 } }
}

/// A number that several threads count up and down.
final class TestCount: Sendable {
    private let number: Atomic<Int>
    init(_ start: Int = 0) { number = Atomic(start) }
    var value: Int { number.load(ordering: .acquiring) }
    @discardableResult
    func add(_ more: Int = 1) -> Int { number.add(more, ordering: .acquiringAndReleasing).newValue }
}

/// A flag that one thread sets once and other threads read.
final class TestFlag: Sendable {
    private let flag = Atomic<Bool>(false)
    var isSet: Bool { flag.load(ordering: .acquiring) }
    func set() { flag.store(true, ordering: .releasing) }
}
