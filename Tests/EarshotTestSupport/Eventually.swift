// SPDX-License-Identifier: GPL-3.0-or-later

/// Waits until something is so, looking again and again.
/// - Returns: whether it became so within `limit`.
public func eventually(within limit: Duration = .seconds(60), _ condition: () -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while !condition() {
        guard ContinuousClock.now < end else { return condition() }
        try? await Task.sleep(for: .milliseconds(1))
    }
    return true
}
