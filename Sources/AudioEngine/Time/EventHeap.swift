// SPDX-License-Identifier: GPL-3.0-or-later

/// A binary heap of events in the order of their frames, with a fixed capacity and its memory allocated in advance,
/// so that the realtime thread adds and removes events in logarithmic time. A slot, `0..<capacity`, identifies an
/// event; of those at the same frame, the one with the smaller order comes first.
///
/// The creator deallocates it; one thread uses it.
struct EventHeap: BitwiseCopyable {
    struct Event: BitwiseCopyable {
        let frame: Int64
        let order: UInt64
        let slot: Int

        @_noLocks @_noAllocation
        func precedes(_ other: Event) -> Bool { frame != other.frame ? frame < other.frame : order < other.order }
    }

    let capacity: Int
    private(set) var count = 0
    /// The events, each before the two at twice its index plus one and two. They are stored here, not by slot, so
    /// that events that are compared are close together in memory.
    private let events: UnsafeMutablePointer<Event>
    /// The index in `events` of each slot's event.
    private let places: UnsafeMutablePointer<Int>

    init(capacity: Int) {
        self.capacity = max(1, capacity)
        events = .allocate(capacity: self.capacity)
        events.initialize(repeating: Event(frame: 0, order: 0, slot: 0), count: self.capacity)
        places = .allocate(capacity: self.capacity)
        places.initialize(repeating: .max, count: self.capacity)
    }

    func deallocate() {
        events.deallocate()
        places.deallocate()
    }

    @_noLocks @_noAllocation
    func contains(_ slot: Int) -> Bool { places[slot] < count }

    /// Adds a slot that is not in the heap yet.
    @_noLocks @_noAllocation
    mutating func insert(_ slot: Int, frame: Int64, order: UInt64) {
        guard count < capacity, !contains(slot) else { return }
        count &+= 1
        sift(Event(frame: frame, order: order, slot: slot), from: count &- 1)
    }

    /// Removes and returns the first event, if its frame is less than `end`.
    @_noLocks @_noAllocation
    mutating func removeFirst(before end: Int64) -> Event? {
        guard count > 0, events[0].frame < end else { return nil }
        let first = events[0]
        remove(first.slot)
        return first
    }

    /// Removes a slot, wherever its event is; a slot that is not in the heap is ignored.
    @_noLocks @_noAllocation
    mutating func remove(_ slot: Int) {
        guard contains(slot) else { return }
        let place = places[slot]
        count &-= 1
        places[slot] = .max
        if place < count { sift(events[count], from: place) }
    }

    /// Inserts an event, beginning at index `place`, which is free.
    @_noLocks @_noAllocation
    private func sift(_ event: Event, from place: Int) {
        let risen = rise(event, from: place)
        put(event, at: risen < place ? risen : sink(event, from: place))
    }

    @_noLocks @_noAllocation
    private func put(_ event: Event, at place: Int) {
        events[place] = event
        places[event.slot] = place
    }

    /// Moves the ancestors that come after the event down.
    /// - Returns: the index that is then free.
    @_noLocks @_noAllocation
    private func rise(_ event: Event, from start: Int) -> Int {
        var place = start
        while place > 0, event.precedes(events[(place &- 1) / 2]) {
            put(events[(place &- 1) / 2], at: place)
            place = (place &- 1) / 2
        }
        return place
    }

    /// Moves the descendants that come before the event up.
    /// - Returns: the index that is then free.
    @_noLocks @_noAllocation
    private func sink(_ event: Event, from start: Int) -> Int {
        var place = start
        while case let left = place &* 2 &+ 1, left < count {
            let child = left &+ 1 < count && events[left &+ 1].precedes(events[left]) ? left &+ 1 : left
            guard events[child].precedes(event) else { break }
            put(events[child], at: place)
            place = child
        }
        return place
    }
}
