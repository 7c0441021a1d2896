// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch

/// Work that waits for the disk, done off the cooperative pool, whose few threads must never wait.
public enum DiskWork {
    public static func run<Value: Sendable, Failure: Error>(
        _ body: @escaping @Sendable () throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        let result: Result<Value, Failure> = await withCheckedContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(returning: Result { () throws(Failure) in try body() })
            }
        }
        return try result.get()
    }
}
