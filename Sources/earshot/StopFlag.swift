// SPDX-License-Identifier: GPL-3.0-or-later
import Synchronization

/// Says to work on other threads that nobody wants it any more.
final class StopFlag: Sendable {
    private let flag = Atomic<Bool>(false)

    var isSet: Bool { flag.load(ordering: .relaxed) }
    func set() { flag.store(true, ordering: .relaxed) }
}
