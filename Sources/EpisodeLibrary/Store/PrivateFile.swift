// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// A file that only its owner can read, created before any data is written to it: it will contain passwords, and
/// SQLite gives its companion files the same rights.
///
/// An existing file is not opened: closing it would release the locks that SQLite holds on it in this process.
enum PrivateFile {
    static func make(_ path: String) throws(LibraryError) {
        guard access(path, F_OK) != 0 else { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            // Another process created the file in the meantime.
            if errno == EEXIST { return }
            throw LibraryError(.notWritable, "the library \(path) cannot be opened: \(SystemError.phrase(of: errno))")
        }
        close(descriptor)
    }
}
