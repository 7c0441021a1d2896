// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// The committed content of a library, as the bytes of one database. SQLite itself can read a library with a log only
/// if it may write a file beside it.
struct LibraryImage {
    let bytes: [UInt8]
    /// The state of the files when they were read.
    let stamp: LibraryStamp

    /// Reads the library and its log. Other processes may write at the same time.
    /// - Throws: `busy` if other processes write continuously; `inputOutput`.
    init(of path: String) throws(LibraryError) {
        let end = ContinuousClock.now + .seconds(Library.lockTimeout)
        while ContinuousClock.now < end {
            if let image = try Self.attempt(path) {
                self = image
                return
            }
            usleep(10_000)
        }
        throw LibraryError(.busy, "the library \(path) is in use by another process")
    }

    private init(_ bytes: [UInt8], _ stamp: LibraryStamp) { (self.bytes, self.stamp) = (bytes, stamp) }

    /// Reads the database first: pages that another process moves into it in the meantime are also in the log, until
    /// the log restarts with another header. The lock keeps the log from being deleted.
    /// - Returns: `nil` if another process interfered.
    private static func attempt(_ path: String) throws(LibraryError) -> LibraryImage? {
        guard FileStamp(path + "-journal").map({ $0.size == 0 }) ?? true else {
            throw LibraryError(.inputOutput, "the library \(path) has a rollback journal")
        }
        let stamp = LibraryStamp(path)
        let file = try SharedFile.open(path)
        guard file.lock() else { return nil }
        defer { file.unlock() }
        let header = try WholeFile.bytes(path + "-wal", most: WriteAheadLog.headerSize)
        var bytes = try file.bytes(path)
        let log = try WholeFile.bytes(path + "-wal", most: .max)
        guard log.prefix(WriteAheadLog.headerSize).elementsEqual(header) else { return nil }
        WriteAheadLog(log)?.apply(to: &bytes)
        // A database in memory has no log: the file format versions must say "rollback journal" (section 1.3.3).
        if bytes.count >= 20 { (bytes[18], bytes[19]) = (1, 1) }
        return LibraryImage(bytes, stamp)
    }
}

/// The state of a library's files.
struct LibraryStamp: Equatable {
    private let database: FileStamp?
    private let log: FileStamp?

    init(_ path: String) { (database, log) = (FileStamp(path), FileStamp(path + "-wal")) }
}

private struct FileStamp: Equatable {
    let device: dev_t
    let inode: ino_t
    let size: off_t
    private let seconds: Int
    private let nanoseconds: Int

    /// Returns `nil` if the file does not exist.
    init?(_ path: String) {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        (device, inode, size) = (status.st_dev, status.st_ino, status.st_size)
        (seconds, nanoseconds) = (status.st_mtim.tv_sec, status.st_mtim.tv_nsec)
    }
}

/// A library's file, open for reading as long as the process lives: closing it would release the locks that SQLite
/// holds on it in this process.
private struct SharedFile {
    private struct Identity: Hashable {
        let device: dev_t
        let inode: ino_t
    }

    private static let open = Mutex<[Identity: CInt]>([:])

    /// F_OFD_SETLK, which the Glibc module does not export: a lock of this descriptor instead of the process.
    private static let setOwnLock: CInt = 37

    private let descriptor: CInt

    static func open(_ path: String) throws(LibraryError) -> SharedFile {
        guard let stamp = FileStamp(path) else { throw WholeFile.failure(path) }
        let identity = Identity(device: stamp.device, inode: stamp.inode)
        let descriptor = open.withLock { open in
            if let known = open[identity] { return known }
            let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC)
            if descriptor >= 0 { open[identity] = descriptor }
            return descriptor
        }
        guard descriptor >= 0 else { throw WholeFile.failure(path) }
        return SharedFile(descriptor: descriptor)
    }

    /// Acquires the lock of a database reader ("SHARED", section "Database File Locking" of os.h) for this descriptor
    /// only.
    func lock() -> Bool { set(F_RDLCK) }

    func unlock() { _ = set(F_UNLCK) }

    private func set(_ type: CInt) -> Bool {
        var range = flock(
            l_type: Int16(type), l_whence: Int16(SEEK_SET), l_start: 0x4000_0002, l_len: 510, l_pid: 0)
        return fcntl(descriptor, Self.setOwnLock, &range) == 0
    }

    func bytes(_ path: String) throws(LibraryError) -> [UInt8] {
        try WholeFile.bytes(of: descriptor, path, most: .max)
    }
}

private enum WholeFile {
    private static let step = 1 << 20

    /// - Returns: an empty array if the file does not exist.
    static func bytes(_ path: String, most: Int) throws(LibraryError) -> [UInt8] {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else {
            if errno == ENOENT { return [] }
            throw failure(path)
        }
        defer { close(descriptor) }
        return try bytes(of: descriptor, path, most: most)
    }

    static func bytes(of descriptor: CInt, _ path: String, most: Int) throws(LibraryError) -> [UInt8] {
        var bytes: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: min(step, most))
        while bytes.count < most {
            let count = pread(descriptor, &piece, min(piece.count, most - bytes.count), bytes.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw failure(path) }
            if count == 0 { break }
            bytes += piece[..<count]
        }
        return bytes
    }

    static func failure(_ path: String) -> LibraryError {
        LibraryError(.inputOutput, "cannot read the library \(path): \(SystemError.phrase(of: errno))")
    }
}
