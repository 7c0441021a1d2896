// SPDX-License-Identifier: GPL-3.0-or-later

/// Polls a condition until it holds.
/// - Returns: true if the condition held within `limit`.
public func eventually(within limit: Duration = TimeLimit.event, _ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < end else { return condition() }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}
