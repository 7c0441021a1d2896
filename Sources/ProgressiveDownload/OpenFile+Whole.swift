// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// Small files, read and replaced as a whole. No link is followed, and nothing but a regular file is waited for.
extension OpenFile {
    /// Puts a file of these bytes at `path`: a reader sees the old one or this.
    /// - Parameter isDurable: whether it must survive a loss of power once this returns.
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

    /// The file at `path`, to be read; `nil` if there is none.
    static func existing(_ path: String) throws(SystemError) -> OpenFile? {
        do throws(SystemError) {
            return try OpenFile(path: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        } catch {
            guard error.code == ENOENT || error.code == ELOOP else { throw error }
            return nil
        }
    }

    /// The bytes of the file at `path`; `nil` where there is none, or none of `limit` bytes at most.
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
