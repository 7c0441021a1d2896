// SPDX-License-Identifier: GPL-3.0-or-later

/// The attempts to connect that are left, and whether somebody makes them. A request that comes during the last attempt
/// adds attempts: the owner may have appeared just after that one.
struct ConnectionAttempts {
    private var left = 0
    private var isRunning = false

    /// - Returns: true if the caller must make the attempts.
    mutating func add(_ count: Int) -> Bool {
        left = max(left, count)
        defer { isRunning = true }
        return !isRunning
    }

    /// - Returns: false if no attempt is left.
    mutating func take() -> Bool {
        isRunning = left > 0
        left = max(0, left - 1)
        return isRunning
    }

    mutating func succeed() { left = 0 }
}
