// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// A system call that failed.
struct SystemError: Error, Equatable {
    let operation: String
    let code: CInt

    init(_ operation: String, code: CInt = errno) {
        self.operation = operation
        self.code = code
    }

    /// The name of an open file is gone, or is another file's.
    static let removed = SystemError("lstat", code: ENOENT)
    /// Bytes that were written are not in the file any more.
    static let shortened = SystemError("fstat", code: ENODATA)

    /// Whether there is no room, or none for this user or a file of this length: more may be made.
    var isFull: Bool { [ENOSPC, EDQUOT, EFBIG].contains(code) }

    /// What it means to a listener while bytes of an open file are read or written.
    var whileTransferring: MediaFailure {
        switch code {
        case ENOSPC, EDQUOT, EFBIG: MediaFailure(.inputOutput, "the disk is full")
        case EROFS: MediaFailure(.inputOutput, "the disk can only be read")
        case ENOENT: MediaFailure(.inputOutput, "its file was removed by another program")
        case ENODATA: MediaFailure(.inputOutput, "its file was cut short by another program")
        default: MediaFailure(.inputOutput, "the disk answered an error (\(phrase))")
        }
    }

    /// What it means when a file or directory was to be made at `path`.
    func whileCreating(_ path: String) -> MediaFailure {
        switch code {
        case ENOSPC, EDQUOT: whileTransferring
        default: MediaFailure(.cannotCreate, "cannot make \(path): \(phrase)")
        }
    }

    /// What it means when an existing file was to be opened.
    var whileOpening: MediaFailure {
        switch code {
        case ENOENT, ENOTDIR: MediaFailure(.missing, "there is no such file")
        case EACCES, EPERM: MediaFailure(.forbidden, "permission is denied")
        case ELOOP, ENAMETOOLONG: MediaFailure(.missing, phrase)
        default: MediaFailure(.inputOutput, phrase)
        }
    }

    /// The system's own words, without its capital letter.
    private var phrase: String {
        guard let words = strerror(code).map({ String(cString: $0) }), let first = words.first else {
            return "error \(code)"
        }
        return first.lowercased() + words.dropFirst()
    }
}
