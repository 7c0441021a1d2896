// SPDX-License-Identifier: GPL-3.0-or-later
public import Glibc

/// An open file, closed with its last reference, so that reads in progress finish normally.
public final class FileDescriptor: Sendable {
    /// The system's number of the file.
    public let number: CInt

    /// - Parameters:
    ///   - flags: the flags of open(2); O_CLOEXEC is added.
    ///   - mode: the rights of a new file.
    public init(path: String, flags: CInt, mode: mode_t = 0o600) throws(SystemError) {
        guard !path.utf8.contains(0) else { throw .nulInPath }
        number = open(path, flags | O_CLOEXEC, mode)
        guard number >= 0 else { throw SystemError("open") }
    }

    /// Creates the object that closes an open file.
    /// - Throws: the error in `errno` if `number` is negative.
    public init(owning number: CInt) throws(SystemError) {
        self.number = number
        guard number >= 0 else { throw SystemError("open") }
    }

    deinit { if number >= 0 { close(number) } }

    public func status() throws(SystemError) -> stat {
        var status = stat()
        guard fstat(number, &status) == 0 else { throw SystemError("fstat") }
        return status
    }

    /// Copies bytes from `offset` on until `buffer` is full or the file ends, and returns their number.
    public func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        var done = 0
        while done < buffer.count {
            let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
            let count = try readOnce(at: offset + Int64(done), into: rest)
            guard count > 0 else { break }
            done += count
        }
        return done
    }

    /// Copies the bytes that one system call returns: those before a bad sector, for example.
    /// - Returns: the number of bytes; 0 at the end of the file.
    public func readOnce(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        while true {
            let count = pread(number, buffer.baseAddress, buffer.count, off_t(offset))
            if count >= 0 { return count }
            if errno != EINTR { throw SystemError("pread") }
        }
    }

    /// Writes all of `bytes` at `offset`, continuing after a short write.
    public func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) {
        try Self.writeAll(bytes, at: offset) { pwrite(number, $0, $1, $2) }
    }

    /// Writes all of `bytes` with a function that has the results of pwrite(2).
    public static func writeAll(
        _ bytes: UnsafeRawBufferPointer, at offset: Int64, by write: (UnsafeRawPointer, Int, off_t) -> Int
    ) throws(SystemError) {
        guard let base = bytes.baseAddress else { return }
        var done = 0
        while done < bytes.count {
            let count = write(base + done, bytes.count - done, off_t(offset) + done)
            if count > 0 {
                done += count
            } else if count == 0 {
                throw SystemError("pwrite", code: ENOSPC)
            } else if errno != EINTR {
                throw SystemError("pwrite")
            }
        }
    }
}
