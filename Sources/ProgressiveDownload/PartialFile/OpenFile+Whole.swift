// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// Small files, read completely and replaced atomically. Links are not followed, and opening never blocks on a
/// special file.
extension OpenFile {
    /// Replaces the file at `path` by a file of these bytes: a reader sees either the old file or the new one.
    /// - Parameter isDurable: True if it must survive a power failure once this returns.
    static func replace(
        _ path: String, with bytes: [UInt8], isDurable: Bool, calls: DiskCalls = DiskCalls()
    ) throws(SystemError) {
        let temporary = path + ".new"
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK
        let file = try OpenFile(path: temporary, flags: flags, calls: calls)
        do throws(SystemError) {
            try bytes.withUnsafeBufferPointer { bytes throws(SystemError) in
                try file.write(UnsafeRawBufferPointer(bytes), at: 0)
            }
            if isDurable { try file.synchronize() }
            try calls.rename(temporary, to: path)
        } catch {
            _ = calls.unlink(temporary)
            throw error
        }
    }

    /// Opens the file at `path`, without `access` for reading; returns `nil` if there is none.
    static func existing(
        _ path: String, _ access: CInt = O_RDONLY, calls: DiskCalls = DiskCalls()
    ) throws(SystemError) -> OpenFile? {
        do throws(SystemError) {
            return try OpenFile(path: path, flags: access | O_NOFOLLOW | O_NONBLOCK, calls: calls)
        } catch {
            guard error.code == ENOENT || error.code == ELOOP else { throw error }
            return nil
        }
    }

    /// Returns the bytes of the file at `path`; `nil` if there is no regular file or it is longer than `limit` bytes.
    static func contents(of path: String, atMost limit: Int) throws(SystemError) -> [UInt8]? {
        guard let file = try existing(path) else { return nil }
        let status = try file.status()
        guard status.st_mode & S_IFMT == S_IFREG, status.st_size <= limit else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
            try file.read(at: 0, into: UnsafeMutableRawBufferPointer(bytes))
        }
        return Array(bytes.prefix(count))
    }
}
