// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Synchronization

/// A host time that a test sets.
final class ManualMoment: Sendable {
    private let nanoseconds = Atomic<Int64>(0)

    var now: HostTime {
        get { HostTime(nanoseconds: nanoseconds.load(ordering: .relaxed)) }
        set { nanoseconds.store(newValue.nanoseconds, ordering: .relaxed) }
    }
}
