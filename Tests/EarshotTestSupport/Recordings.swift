// SPDX-License-Identifier: GPL-3.0-or-later

/// Repeats a run until its recording has no fault. On a busy machine, a sound server inserts silence and a recorder
/// loses samples, so only a fault in each of three runs is one of the player.
/// - Parameter run: plays on a new server, and returns the fault of the recording.
/// - Returns: the faults of three runs; empty if the recording of one has none.
public func repeatedFaults(_ run: () async throws -> String?) async rethrows -> [String] {
    var faults: [String] = []
    for _ in 0..<3 {
        guard let fault = try await run() else { return [] }
        faults.append(fault)
    }
    return faults
}
