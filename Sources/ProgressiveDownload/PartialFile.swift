// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Synchronization

/// The bytes of one version of an enclosure on disk, readable while they are written.
///
/// One thread at a time stores, saves and names; any thread reads. A byte is written first and published then, so a
/// reader never sees one that is not there. The file is sparse: only its extents are bytes, its size means nothing.
final class PartialFile: Sendable {
    let location: DownloadLocation
    private let url: String
    private let file: OpenFile
    private let fileNumber: UInt64
    private let published: Mutex<ByteRangeSet>

    private init(
        _ location: DownloadLocation, url: String, file: OpenFile, fileNumber: UInt64, extents: ByteRangeSet
    ) {
        self.location = location
        self.url = url
        self.file = file
        self.fileNumber = fileNumber
        published = Mutex(extents)
    }

    /// The bytes that can be read.
    var extents: ByteRangeSet { published.withLock { $0 } }

    /// Copies bytes from `offset` on as far as they are there without a gap; the count copied.
    func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(SystemError) -> Int {
        let end = published.withLock { $0.contiguousEnd(from: offset) }
        let count = Int(clamping: min(end - offset, Int64(buffer.count)))
        guard count > 0 else { return 0 }
        return try file.read(at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
    }

    /// Writes the bytes that are not held and compares those that are.
    /// - Returns: `false` where held bytes are others; none behind them is written then.
    func store(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) -> Bool {
        let held = extents
        let end = offset + Int64(bytes.count)
        var position = offset
        while position < end {
            let heldEnd = min(held.contiguousEnd(from: position), end)
            let next = heldEnd > position ? heldEnd : held.firstGap(in: position..<end)?.upperBound ?? end
            let piece = UnsafeRawBufferPointer(rebasing: bytes[Int(position - offset)..<Int(next - offset)])
            if heldEnd > position {
                guard try equals(piece, at: position) else { return false }
            } else {
                try file.write(piece, at: position)
                published.withLock { $0.insert(position..<next) }
            }
            position = next
        }
        return true
    }

    private func equals(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(SystemError) -> Bool {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 1)
        defer { copy.deallocate() }
        let count = try file.read(at: offset, into: copy)
        guard count == bytes.count, let held = copy.baseAddress, let new = bytes.baseAddress else { return false }
        return memcmp(held, new, count) == 0
    }
}

// MARK: Making safe, naming, removing
extension PartialFile {
    /// Writes the manifest of a version of which no byte is held. Losing it with the power costs nothing.
    func record(_ version: Holding) throws(SystemError) {
        try manifest(version, extents: ByteRangeSet()).write(to: location.manifestPath, isDurable: false)
    }

    /// Makes the bytes stored so far outlive a loss of power: first the data, then the manifest that names them.
    func save(_ version: Holding) throws(SystemError) {
        let extents = extents
        try file.synchronize()
        try manifest(version, extents: extents).write(to: location.manifestPath, isDurable: true)
    }

    /// Gives the file its final name. Readers notice nothing.
    func finish() throws(SystemError) {
        try file.synchronize()
        guard rename(location.partialPath, location.path) == 0 else { throw SystemError("rename") }
        try OpenFile(path: location.directory, flags: O_RDONLY | O_DIRECTORY).synchronizeAll()
        try Self.remove(location.manifestPath)
    }

    /// Takes the file and what stands beside it away; who has it open can read on.
    func discard() throws(SystemError) {
        try Self.remove(location.indexPath)
        try Self.remove(location.manifestPath)
        try Self.remove(location.partialPath)
    }

    /// Lets another take the file; its bytes stay readable here.
    func release() { file.unlock() }

    private func manifest(_ version: Holding, extents: ByteRangeSet) -> PartialFileManifest {
        var holding = version
        holding.extents = extents
        return PartialFileManifest(url: url, holding: holding, fileNumber: fileNumber)
    }

    private static func remove(_ path: String) throws(SystemError) {
        guard unlink(path) != 0 && errno != ENOENT else { return }
        throw SystemError("unlink")
    }
}

// MARK: Opening
extension PartialFile {
    /// Opens the partial file at `location`, or makes an empty one, for this process alone.
    /// - Returns: the file and what is held of which version: nothing unless the manifest proves it.
    static func open(
        _ location: DownloadLocation, url: String, writer: @escaping OpenFile.Writer
    ) throws(MediaFailure) -> (PartialFile, Holding) {
        try KeepDirectory(path: location.directory).create()
        do throws(SystemError) {
            // Between opening and locking, the holder of the lock may have given the file another name.
            for _ in 0..<5 {
                let file = try OpenFile(
                    path: location.partialPath, flags: O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, writer: writer)
                guard try file.lock() else { break }
                let status = try file.status()
                if isNamed(location.partialPath, status) { return try begin(location, url, file, status) }
            }
        } catch {
            throw error.whileCreating(location.partialPath)
        }
        throw MediaFailure(.temporary, "another earshot is downloading it")
    }

    /// An empty file in place of this one, which stays readable to those who have it open.
    func replacement(writer: @escaping OpenFile.Writer) throws(SystemError) -> PartialFile {
        // The manifest goes first: it must never stand beside a file it does not speak of.
        try Self.remove(location.manifestPath)
        try Self.remove(location.indexPath)
        let temporary = location.partialPath + ".new"
        try Self.remove(temporary)
        let file = try OpenFile(path: temporary, flags: O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, writer: writer)
        guard try file.lock() else { throw SystemError("flock", code: EWOULDBLOCK) }
        let number = try file.status().st_ino
        guard rename(temporary, location.partialPath) == 0 else { throw SystemError("rename") }
        return PartialFile(location, url: url, file: file, fileNumber: UInt64(number), extents: ByteRangeSet())
    }

    private static func begin(
        _ location: DownloadLocation, _ url: String, _ file: OpenFile, _ status: stat
    ) throws(SystemError) -> (PartialFile, Holding) {
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError("open", code: EEXIST) }
        let manifest = try PartialFileManifest.load(from: location.manifestPath)
        var holding = Holding()
        if let manifest, manifest.url == url, manifest.fileNumber == UInt64(status.st_ino),
            manifest.holding.extents.upperBound ?? 0 <= Int64(status.st_size)
        {
            holding = manifest.holding
        } else if status.st_size > 0 {
            try file.truncate(to: 0)
        }
        // Without its bytes, it is of an episode that was taken away.
        if holding.extents.isEmpty { try remove(location.indexPath) }
        let partial = PartialFile(
            location, url: url, file: file, fileNumber: UInt64(status.st_ino), extents: holding.extents)
        return (partial, holding)
    }

    private static func isNamed(_ path: String, _ status: stat) -> Bool {
        var named = stat()
        return lstat(path, &named) == 0 && named.st_ino == status.st_ino && named.st_dev == status.st_dev
    }
}
