// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// An object that a realtime thread reads while other threads replace it. One atomic store publishes a new object;
/// the old one is released only after the realtime thread has finished with it, and never on that thread.
///
/// ```swift
/// let plan = ManagedValue(Plan(gains: [1]))
/// plan.withValue { render($0) }          // the realtime thread, and it alone
/// plan.replace(with: Plan(gains: [0.5])) // any other
/// ```
/// Reading costs two atomic additions and a load, however often the value is replaced. A value that was replaced
/// while it was being read is kept until the next `replace` or `collect` after the end of that reading.
public final class ManagedValue<Value: AnyObject & Sendable>: Sendable {
    private let current: Atomic<Unmanaged<Value>>
    /// Odd while the realtime thread reads.
    private let visits = Atomic<Int>(0)
    private let retired = Mutex<[Retired]>([])

    private struct Retired: Sendable {
        let value: Value
        /// The visit during which the value was replaced. The value may still be in use until that number has passed.
        let visit: Int
    }

    public init(_ value: Value) {
        current = Atomic(.passRetained(value))
    }

    deinit { current.load(ordering: .acquiring).release() }

    /// Reads the value. Only the realtime thread may call it; calls do not nest.
    public func withValue<Result>(_ body: (Value) -> Result) -> Result {
        visits.add(1, ordering: .sequentiallyConsistent)
        defer { visits.add(1, ordering: .releasing) }
        return current.load(ordering: .sequentiallyConsistent)._withUnsafeGuaranteedRef(body)
    }

    /// The value that will be read next. Any thread but the realtime one may use it.
    public var value: Value {
        // Under the lock no other thread can replace the value, so it is not released before it is retained here.
        retired.withLock { _ in current.load(ordering: .acquiring).takeUnretainedValue() }
    }

    /// Replaces the value: every reading that begins from now on finds `value`. Any thread but the realtime one may
    /// call this.
    public func replace(with value: Value) { change { _ in value } }

    /// Replaces the value with one made from it; no other thread can replace it in between. Any thread but the
    /// realtime one may call this.
    public func change(_ make: (Value) -> Value) {
        let passed = retired.withLock { retired in
            let next = make(current.load(ordering: .acquiring).takeUnretainedValue())
            let old = current.exchange(.passRetained(next), ordering: .sequentiallyConsistent).takeRetainedValue()
            retired.append(Retired(value: old, visit: visits.load(ordering: .sequentiallyConsistent)))
            return removeUnused(&retired)
        }
        withExtendedLifetime(passed) {}
    }

    /// Releases the values that the realtime thread has finished with. Any thread but the realtime one may call this.
    /// - Returns: the number of values that are still kept.
    @discardableResult
    public func collect() -> Int {
        let (kept, passed) = retired.withLock { retired in
            let passed = removeUnused(&retired)
            return (retired.count, passed)
        }
        withExtendedLifetime(passed) {}
        return kept
    }

    /// Removes and returns the values that are no longer in use. The caller releases them outside the lock, because a
    /// deinitializer may call back into this object.
    ///
    /// A visit that began after the exchange finds the new value, so only the visit that was under way then may hold
    /// the old one.
    private func removeUnused(_ retired: inout [Retired]) -> [Retired] {
        guard !retired.isEmpty else { return [] }
        let now = visits.load(ordering: .acquiring)
        let passed = retired.filter { $0.visit.isMultiple(of: 2) || $0.visit != now }
        retired.removeAll { $0.visit.isMultiple(of: 2) || $0.visit != now }
        return passed
    }
}
