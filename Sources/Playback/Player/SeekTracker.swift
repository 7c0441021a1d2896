// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The tracking of a seek until its target is played. A pure value.
struct SeekTracker: Sendable, Equatable {
    struct Seek: Sendable, Equatable {
        let target: TimeTarget
        /// The time of the listener's request; `nil` for a seek that the player made.
        var requested: Duration?
        /// The position to return to if the target lies beyond the end.
        var origin: TimeTarget?
        /// The position that was heard last before the seek; `nil` if nothing of the item was heard.
        fileprivate(set) var heard: TimeTarget?

        init(target: TimeTarget, requested: Duration? = nil, origin: TimeTarget? = nil) {
            (self.target, self.requested, self.origin) = (target, requested, origin)
        }
    }

    /// A seek from which no position follows yet.
    struct Deferred: Sendable, Equatable {
        let target: SeekTarget
        /// The item to which it belongs; `nil` for the first one that is opened.
        let item: PlaybackItem.ID?
    }

    /// The seek whose target is not yet played.
    private(set) var pending: Seek?
    /// The seeks from which no position follows yet: no item is open, or its start, its duration or its end is unknown.
    private(set) var deferred: [Deferred] = []
    private var reportedItem: PlaybackItem.ID?

    /// Returns the position to return to after another seek: several seeks in a row return to the origin of the first.
    func origin(from position: TimeTarget?) -> TimeTarget? { pending.map(\.origin) ?? position }

    /// Begins a seek.
    /// - Parameter heard: the position that was heard last, which counts unless a seek is pending.
    mutating func begin(_ seek: Seek, after heard: TimeTarget? = nil) {
        var seek = seek
        seek.heard = pending.map(\.heard) ?? heard
        pending = seek
    }

    /// Ends the pending seek.
    /// - Returns: that seek; `nil` if there is none.
    @discardableResult
    mutating func end() -> Seek? { pending.take() }

    /// Keeps a seek until its position is known.
    /// - Parameter item: the displayed item; `nil` if there is none.
    mutating func `defer`(_ target: SeekTarget, in item: PlaybackItem.ID?) {
        deferred.append(Deferred(target: target, item: item))
    }

    /// Returns true if a target counts from that of a seek that was kept.
    func mustWait(_ target: SeekTarget) -> Bool {
        guard case .relative = target else { return false }
        return !deferred.isEmpty
    }

    mutating func removeDeferred() { deferred = [] }

    /// Removes the seeks that were kept.
    /// - Returns: those of this item; the item of the other ones is over.
    mutating func removeDeferred(of item: PlaybackItem.ID) -> [SeekTarget] {
        defer { deferred = [] }
        return deferredTargets(in: item)
    }

    /// Returns the seeks of the listener that have not landed, in order.
    /// - Parameter item: the displayed item; `nil` if there is none.
    func awaited(in item: PlaybackItem.ID?) -> [SeekTarget] {
        let begun: [SeekTarget] = if let pending, pending.requested != nil { [.absolute(pending.target)] } else { [] }
        return begun + deferredTargets(in: item)
    }

    private func deferredTargets(in item: PlaybackItem.ID?) -> [SeekTarget] {
        deferred.filter { $0.item == nil || $0.item == item }.map(\.target)
    }

    /// Returns true if the wait for the bytes before the target must be reported: once in a row for an item.
    mutating func reportsWait(in item: PlaybackItem.ID) -> Bool {
        defer { reportedItem = item }
        return reportedItem != item
    }
}

extension TimeTarget {
    /// Returns true if the position of the target in an item is an estimate.
    func isEstimated(within duration: MediaDuration?) -> Bool {
        switch (self, duration) {
        case (.time, _), (.fraction, .exact), (.fraction, .declared): false
        case (.estimated, _), (.fraction, _): true
        }
    }

    /// Returns the position of the target in an item; `nil` if it depends on an unknown duration.
    public func position(within duration: MediaDuration?) -> Duration? {
        switch (self, duration) {
        // A time beyond the end becomes the end, unless the end is only an estimate.
        case (.time(let time), .exact(let end)), (.time(let time), .declared(let end)): min(time, end)
        case (.time(let time), _), (.estimated(let time, _), _): time
        case (.fraction(let part), _): duration?.value.map { $0 * max(0, min(1, part)) }
        }
    }
}
