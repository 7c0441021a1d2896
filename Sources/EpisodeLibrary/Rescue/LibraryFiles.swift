// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Podcasts

/// The files beside a library that outlast damage, and the steps that put another one in its place.
struct LibraryFiles {
    let library: String

    /// The listener's part of the library, as of an hour ago or less.
    var backup: String { library + ".backup" }
    /// A backup, or a new library, that is being written.
    var unfinished: String { library + ".unfinished" }
    /// A new library that is whole, on its way to its place.
    var rescued: String { library + ".rescued" }

    /// Where the damaged file is kept.
    func aside(at time: UTCTime, number: Int) -> String {
        "\(library).damaged-\(time.secondsSince1970)\(number == 0 ? "" : "-\(number)")"
    }

    func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// - Returns: bytes; `nil` where there is no such file.
    func size(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// - Returns: when it was written, in seconds since 1970; `nil` where there is no such file.
    func time(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_mtim.tv_sec) : nil
    }

    func remove(_ path: String) throws(LibraryError) {
        guard unlink(path) == 0 || errno == ENOENT else { throw failure(path) }
    }

    func move(_ path: String, to other: String) throws(LibraryError) {
        guard rename(path, other) == 0 else { throw failure(path) }
    }

    /// Makes what was written to the file, and its name, outlive a loss of power.
    func sync(_ path: String) throws(LibraryError) {
        for place in [path, folder] {
            let descriptor = open(place, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw failure(place) }
            defer { close(descriptor) }
            // Some file systems cannot sync a folder.
            guard fsync(descriptor) == 0 || errno == EINVAL else { throw failure(place) }
        }
    }

    var folder: String {
        let end = library.lastIndex(of: "/")
        return end.map { $0 == library.startIndex ? "/" : String(library[..<$0]) } ?? "."
    }

    /// How a process uses the files' folder.
    enum Use {
        /// Opens the library; any number at a time.
        case opening
        /// Puts another file in the place of one.
        case replacing
        /// As `replacing`, unless another process uses the folder.
        case replacingIfFree
    }

    /// - Returns: `nil` where the folder was not free.
    func locked<Value>(
        for use: Use, _ body: () throws(LibraryError) -> Value
    ) throws(LibraryError) -> Value? {
        let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(folder) }
        defer { close(descriptor) }
        let operation =
            switch use {
            case .opening: LOCK_SH
            case .replacing: LOCK_EX
            case .replacingIfFree: LOCK_EX | LOCK_NB
            }
        // Some network file systems know no locks: there is mostly one process then.
        if flock(descriptor, operation) != 0, errno == EWOULDBLOCK { return nil }
        return try body()
    }

    /// `F_OFD_GETLK`, which Glibc's module leaves out: it knows of this process's own locks, too. Source: Linux,
    /// "include/uapi/asm-generic/fcntl.h".
    private static let getLock: CInt = 36

    /// Whether a process has the library open, this one included: SQLite takes the log away by its name when it closes
    /// a library, so that no other may have come into its place.
    var isInUse: Bool {
        let descriptor = open(library, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        // SQLite, "os.h": PENDING_BYTE, and the bytes for RESERVED and SHARED that follow it.
        var lock = flock()
        lock.l_type = Int16(F_WRLCK)
        lock.l_whence = Int16(SEEK_SET)
        lock.l_start = 0x4000_0000
        lock.l_len = 512
        return fcntl(descriptor, Self.getLock, &lock) == 0 && lock.l_type != Int16(F_UNLCK)
    }

    /// Puts the rescued library in its place. Can be broken off anywhere and done again.
    func install(at time: UTCTime) throws(LibraryError) -> String? {
        var aside: String?
        if size(library) ?? 0 > 0 {
            var number = 0
            while exists(self.aside(at: time, number: number)) { number += 1 }
            let place = self.aside(at: time, number: number)
            guard link(library, place) == 0 || rename(library, place) == 0 else { throw failure(library) }
            aside = place
            // Its log belongs to it; the new library must not find it.
            if size(library + "-wal") ?? 0 > 0 { try move(library + "-wal", to: place + "-wal") }
        }
        for ending in ["-wal", "-shm", "-journal"] {
            try remove(library + ending)
            try remove(rescued + ending)
        }
        try move(rescued, to: library)
        try sync(library)
        return aside
    }

    private func failure(_ path: String) -> LibraryError {
        let kind: LibraryError.Kind = errno == ENOSPC || errno == EDQUOT ? .full : .notWritable
        return LibraryError(kind, "\(path): \(String(cString: strerror(errno)))")
    }
}
