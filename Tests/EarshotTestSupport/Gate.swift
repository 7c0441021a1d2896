// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import Synchronization

/// Blocks every thread that reaches it until it is opened; it stays open.
public final class Gate: Sendable {
    private let reached = Atomic<Bool>(false)
    private let isOpen = DispatchSemaphore(value: 0)

    public init() {}

    /// True once a thread has reached it.
    public var isReached: Bool { reached.load(ordering: .acquiring) }

    public func open() { isOpen.signal() }

    public func pass() {
        reached.store(true, ordering: .releasing)
        isOpen.wait()
        isOpen.signal()
    }
}
