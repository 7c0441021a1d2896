// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Makes a file that its owner alone can read, before anything is written to it: it will hold passwords, and SQLite
/// gives its companions the same rights.
///
/// One that is there is not opened: closing it would take away the locks that this process has on it by SQLite.
enum PrivateFile {
    static func make(_ path: String) throws(LibraryError) {
        guard access(path, F_OK) != 0 else { return }
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            // Another process was quicker.
            if errno == EEXIST { return }
            let reason = String(cString: strerror(errno))
            throw LibraryError(.notWritable, "the library \(path) cannot be opened: \(reason)")
        }
        close(descriptor)
    }
}
