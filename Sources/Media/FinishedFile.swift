// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// A file that is complete under a temporary name.
public struct FinishedFile: Sendable {
    private let path: String

    public init(path: String) { self.path = path }

    /// Renames the file after flushing its bytes to the disk; waits for the device.
    ///
    /// - Parameter replaces: true if an existing file called `target` may be replaced. Otherwise even a file that
    ///   appears during the call is kept.
    /// - Throws: `SystemError` with `EEXIST` if the name is in use.
    public func rename(to target: String, replacing replaces: Bool = false) throws(SystemError) {
        guard !target.utf8.contains(0) else { throw .nulInPath }
        try Self.synchronize(path, O_RDONLY)
        if replaces {
            guard Glibc.rename(path, target) == 0 else { throw SystemError("rename") }
        } else {
            try renameToFreeName(target)
        }
        try Self.synchronize(target.lastIndex(of: "/").map { String(target[...$0]) } ?? ".", O_RDONLY | O_DIRECTORY)
    }

    private func renameToFreeName(_ target: String) throws(SystemError) {
        // Unlike a rename, a link never replaces a file; some file systems have no links.
        if link(path, target) == 0 {
            unlink(path)
            return
        }
        guard errno != EEXIST else { throw SystemError("link") }
        try renameToReservedName(target)
    }

    /// Creates the target, which fails if the name is in use, and replaces that empty file.
    private func renameToReservedName(_ target: String) throws(SystemError) {
        let reservation = open(target, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard reservation >= 0 else { throw SystemError("open") }
        close(reservation)
        guard Glibc.rename(path, target) == 0 else {
            let error = SystemError("rename")
            unlink(target)
            throw error
        }
    }

    /// Flushes a file or directory. Ignores the error of file systems that have no data to synchronize.
    private static func synchronize(_ path: String, _ flags: CInt) throws(SystemError) {
        let descriptor = open(path, flags | O_CLOEXEC)
        guard descriptor >= 0 else { throw SystemError("open") }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else { throw SystemError("fsync") }
    }
}
