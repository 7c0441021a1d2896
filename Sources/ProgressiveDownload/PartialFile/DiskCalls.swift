// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The system calls that change files on disk, with the results of the C library. Tests replace them to fail, record
/// and replay calls.
struct DiskCalls: Sendable {
    var open: @Sendable (String, CInt, mode_t) -> CInt = { Glibc.open($0, $1, $2) }
    var write: @Sendable (CInt, UnsafeRawPointer, Int, off_t) -> Int = { pwrite($0, $1, $2, $3) }
    var truncate: @Sendable (CInt, off_t) -> CInt = { ftruncate($0, $1) }
    var synchronize: @Sendable (CInt) -> CInt = { fdatasync($0) }
    /// Synchronizes a directory, so that its entries are durable.
    var synchronizeAll: @Sendable (CInt) -> CInt = { fsync($0) }
    var lock: @Sendable (CInt, CInt) -> CInt = { flock($0, $1) }
    var rename: @Sendable (String, String) -> CInt = { Glibc.rename($0, $1) }
    var unlink: @Sendable (String) -> CInt = { Glibc.unlink($0) }
    /// Returns a number that identifies the current boot: data written in it is readable even before it reaches the
    /// device. Returns `nil` if the system does not report it.
    var boot: @Sendable () -> UInt64? = { currentBoot() }

    /// Returns true to interrupt the verification of stored bytes.
    var isInterrupted: @Sendable () -> Bool = { false }

    /// Returns the space of the file system that contains this directory.
    var space: @Sendable (String) -> DiskSpace? = { DiskSpace.of($0) }

    private static func currentBoot() -> UInt64? {
        var text = [UInt8](repeating: 0, count: 36)
        do throws(SystemError) {
            let file = try OpenFile(path: "/proc/sys/kernel/random/boot_id", flags: O_RDONLY)
            return try text.withUnsafeMutableBufferPointer { text throws(SystemError) in
                let text = UnsafeMutableRawBufferPointer(text)
                guard try file.read(at: 0, into: text) == text.count else { return nil }
                return ContentHash.value(of: UnsafeRawBufferPointer(text))
            }
        } catch {
            return nil
        }
    }
}

extension DiskCalls {
    func rename(_ path: String, to other: String) throws(SystemError) {
        guard rename(path, other) == 0 else { throw SystemError("rename") }
    }

    /// Removes a file name if it exists.
    func remove(_ path: String) throws(SystemError) {
        guard unlink(path) != 0, errno != ENOENT else { return }
        throw SystemError("unlink")
    }
}
