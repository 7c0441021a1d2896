// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// A flag that tells work on other threads to stop.
final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
