// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// An open file, closed with its last reference. All reading and writing at offsets happens in this class.
///
/// The descriptor survives renaming or removing the name, so readers are not affected.
final class OpenFile: Sendable {
    private let file: FileDescriptor
    private let calls: DiskCalls
    /// Held instead of a lock if the file system does not support locks.
    private let nameLock = Mutex<NameLock?>(nil)

    init(
        path: String, flags: CInt, mode: mode_t = 0o600, calls: DiskCalls = DiskCalls()
    ) throws(SystemError) {
        file = try FileDescriptor(owning: calls.open(path, flags | O_CLOEXEC, mode))
        self.calls = calls
    }

    private var descriptor: CInt { file.number }

    var isInterrupted: Bool { calls.isInterrupted() }

    func status() throws(SystemError) -> stat { try file.status() }

    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        try file.read(at: offset, into: buffer)
    }

    /// Returns true if the file contains these bytes at `offset`.
    func equals(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) -> Bool {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        defer { copy.deallocate() }
        guard try read(at: offset, into: copy) == bytes.count, let held = copy.baseAddress, let new = bytes.baseAddress
        else { return false }
        return memcmp(held, new, bytes.count) == 0
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        try FileDescriptor.writeAll(bytes, at: offset) { calls.write(descriptor, $0, $1, $2) }
    }

    /// Clones the blocks of another file, which both then share until one of them changes. Source: ioctl_ficlone(2).
    /// - Returns: `false` if the file system does not support that.
    func clone(_ other: OpenFile) -> Bool {
        // linux/fs.h: _IOW(0x94, 9, int), which Swift does not import.
        let fileClone: UInt = 0x4004_9409
        return ioctl(descriptor, fileClone, other.descriptor) == 0
    }

    /// Returns true if bytes of `range` were never written, or lie past the end.
    func hasHole(in range: ByteRange) -> Bool {
        // linux/fs.h; the name is hidden from Swift.
        let seekHole: CInt = 4
        return lseek(descriptor, off_t(range.lowerBound), seekHole) < range.upperBound
    }

    func truncate(to length: Int64) throws(SystemError) {
        guard calls.truncate(descriptor, off_t(length)) == 0 else { throw SystemError("ftruncate") }
    }

    /// Returns once the bytes written so far are on the device.
    func synchronize() throws(SystemError) {
        guard calls.synchronize(descriptor) == 0 else { throw SystemError("fdatasync") }
    }

    /// Returns once a directory's entries are on the device, so that a rename in it is durable. File systems without
    /// support for that return an error, which is ignored.
    func synchronizeAll() throws(SystemError) {
        guard calls.synchronizeAll(descriptor) != 0, ![EINVAL, EOPNOTSUPP, ENOSYS].contains(errno) else { return }
        throw SystemError("fsync")
    }

    /// Locks the file for this process; returns `false` if another process holds the lock. The lock ends with the
    /// descriptor.
    func lock() throws(SystemError) -> Bool {
        if calls.lock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
        if errno == EWOULDBLOCK { return false }
        guard [ENOLCK, EOPNOTSUPP, ENOSYS, EINVAL].contains(errno) else { throw SystemError("flock") }
        let status = try status()
        let name = try NameLock.acquire("earshot-\(getuid())-\(status.st_dev)-\(status.st_ino)")
        nameLock.withLock { $0 = name }
        return name != nil
    }

    func unlock() {
        _ = calls.lock(descriptor, LOCK_UN)
        nameLock.withLock { $0 = nil }
    }
}
