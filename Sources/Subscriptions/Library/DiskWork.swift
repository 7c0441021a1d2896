// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch

/// A runner of blocking disk work outside the cooperative thread pool, whose few threads must never block.
public enum DiskWork {
    /// Runs `body` on a queue of its own and returns its result.
    public static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            DispatchQueue(label: "earshot.disk").async {
                continuation.resume(returning: Result { () throws(Failure) in try body() })
            }
        }
        return try result.get()
    }
}
