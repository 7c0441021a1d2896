// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The files beside a library that survive its damage, and the operations that replace the library.
struct LibraryFiles {
    let library: String

    /// The backup of the listener's data, an hour old at most.
    var backup: String { library + ".backup" }
    /// A backup or a new library that is not complete yet.
    var unfinished: String { library + ".unfinished" }
    /// A complete new library that has not replaced the damaged one yet.
    var rescued: String { library + ".rescued" }

    /// Returns the path at which the damaged file is kept.
    func damagedFilePath(at time: UTCTime, number: Int) -> String {
        "\(library).damaged-\(time.secondsSince1970)\(number == 0 ? "" : "-\(number)")"
    }

    /// The damaged files that are kept beside the library.
    var damagedFiles: [String] {
        let start = (library.split(separator: "/").last.map(String.init) ?? library) + ".damaged-"
        return Self.names(in: folder)
            .filter { $0.hasPrefix(start) && $0.dropFirst(start.count).allSatisfy { $0.isNumber || $0 == "-" } }
            .map { "\(folder)/\($0)" }
    }

    /// Returns the names in a folder in order; none if it does not exist.
    static func names(in folder: String) -> [String] {
        ((try? FolderNames.all(in: folder)) ?? []).sorted()
    }

    func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

    /// Returns the size of a file.
    /// - Returns: the size in bytes; `nil` if the file does not exist.
    func size(_ path: String) -> Int64? {
        var status = stat()
        return stat(path, &status) == 0 ? Int64(status.st_size) : nil
    }

    /// Returns the modification time of a file.
    /// - Returns: the time in seconds since 1970; `nil` if the file does not exist.
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

    /// Moves the backup that an earlier version kept beside a link to the library here. It stays if it is on another
    /// disk, or if the library has a newer one.
    func takeBackup(besideLink link: String) {
        if !exists(backup) { rename(LibraryFiles(library: link).backup, backup) }
    }

    /// Makes the content and the name of the file survive a power failure.
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

    /// The use of the files' folder by a process.
    enum FolderUse {
        /// The process opens the library; several processes may do so at the same time.
        case opening
        /// The process replaces a file.
        case replacing
        /// Like `replacing`, but only if no other process uses the folder.
        case replacingIfFree
    }

    /// Runs `body` while the folder is locked for a use.
    /// - Returns: `nil` if another process used the folder.
    func locked<Value>(
        for use: FolderUse, _ body: () throws(LibraryError) -> Value
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
        // Some network file systems do not support locks; usually only one process uses the library there.
        if flock(descriptor, operation) != 0, errno == EWOULDBLOCK { return nil }
        return try body()
    }

    /// `F_OFD_GETLK`, which the Glibc module does not export; it also reports this process's own locks. Source:
    /// Linux, "include/uapi/asm-generic/fcntl.h".
    private static let getLock: CInt = 36

    /// True if a process, including this one, has the library open. SQLite deletes the log by name when it closes a
    /// library, so no other library may take its name until then.
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

    /// Installs the rescued library. The operation can be interrupted at any point and repeated.
    /// - Returns: the path of the damaged file; `nil` if it did not exist or was empty.
    func install(at time: UTCTime) throws(LibraryError) -> String? {
        var aside: String?
        if size(library) ?? 0 > 0 {
            var number = 0
            while exists(self.damagedFilePath(at: time, number: number)) { number += 1 }
            let place = self.damagedFilePath(at: time, number: number)
            guard link(library, place) == 0 || rename(library, place) == 0 else { throw failure(library) }
            aside = place
            // The log belongs to the damaged file; the new library must not use it.
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
        return LibraryError(kind, "\(path): \(SystemError.phrase(of: errno))")
    }
}
