// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// An object that a realtime thread reads while others replace it: published by one atomic store, released only after
/// the realtime thread has let go of it, and never on that thread.
///
/// ```swift
/// let plan = ManagedValue(Plan(gains: [1]))
/// plan.withValue { render($0) }          // the realtime thread, and it alone
/// plan.replace(with: Plan(gains: [0.5])) // any other
/// ```
/// Reading is two atomic additions and a load, however often it is replaced. What was replaced while it was being read
/// is kept until the next `replace` or `collect` that finds the reader gone.
public final class ManagedValue<Value: AnyObject & Sendable>: Sendable {
    private let current: Atomic<Unmanaged<Value>>
    /// Odd while the realtime thread is inside.
    private let visits = Atomic<Int>(0)
    private let retired = Mutex<[Retired]>([])

    private struct Retired: Sendable {
        let value: Value
        /// The visit during which it was replaced: it may still be read until that number has passed.
        let visit: Int
    }

    public init(_ value: Value) {
        current = Atomic(.passRetained(value))
    }

    deinit { current.load(ordering: .acquiring).release() }

    /// The realtime thread: reads the value. Visits do not nest.
    public func withValue<Result>(_ body: (Value) -> Result) -> Result {
        visits.add(1, ordering: .sequentiallyConsistent)
        defer { visits.add(1, ordering: .releasing) }
        return current.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef(body)
    }

    /// Any other thread: the value that will be read next.
    public var value: Value {
        // Under the lock nobody else replaces it, so it is not released before it is retained here.
        retired.withLock { _ in current.load(ordering: .acquiring).takeUnretainedValue() }
    }

    /// Any other thread: every reading that begins from now on finds `value`.
    public func replace(with value: Value) { change { _ in value } }

    /// Any other thread: replaces the value by one made of it; nobody else replaces it meanwhile.
    public func change(_ make: (Value) -> Value) {
        let passed = retired.withLock { retired in
            let next = make(current.load(ordering: .acquiring).takeUnretainedValue())
            let old = current.exchange(.passRetained(next), ordering: .sequentiallyConsistent).takeRetainedValue()
            retired.append(Retired(value: old, visit: visits.load(ordering: .sequentiallyConsistent)))
            return takePassed(&retired)
        }
        withExtendedLifetime(passed) {}
    }

    /// Any other thread: releases what the realtime thread has let go of.
    /// - Returns: how many values are still kept for it.
    @discardableResult
    public func collect() -> Int {
        let (kept, passed) = retired.withLock { retired in
            let passed = takePassed(&retired)
            return (retired.count, passed)
        }
        withExtendedLifetime(passed) {}
        return kept
    }

    /// Takes out what nobody reads any more; it goes outside the lock, for its end may come back here.
    ///
    /// A visit that began after the exchange finds the new value: only the one under way then may hold the old one.
    private func takePassed(_ retired: inout [Retired]) -> [Retired] {
        guard !retired.isEmpty else { return [] }
        let now = visits.load(ordering: .acquiring)
        let passed = retired.filter { $0.visit.isMultiple(of: 2) || $0.visit != now }
        retired.removeAll { $0.visit.isMultiple(of: 2) || $0.visit != now }
        return passed
    }
}
