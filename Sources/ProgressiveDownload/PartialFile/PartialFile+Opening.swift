// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import HTTPTransfer
import Media
import Synchronization

/// Opening partial files.
extension PartialFile {
    /// Opens the partial file at `location`, or creates an empty one, and locks it for this process.
    /// - Parameter purpose: For playback, a file that cannot be written is opened as well.
    /// - Returns: The file, its version and the stored bytes: none unless the manifest proves them.
    static func open(
        _ location: DownloadLocation, url: String, for purpose: EpisodeDownload.Purpose = .keeping,
        calls: DiskCalls = DiskCalls()
    ) throws(MediaFailure) -> (PartialFile, StoredContent) {
        if let error = try KeepDirectory(path: location.directory).create(for: purpose) {
            return try openUnwritable(location, url: url, because: error, calls: calls)
        }
        do throws(SystemError) {
            // Between opening and locking, the process that held the lock may have renamed the file.
            attempts: for _ in 0..<5 {
                let flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK
                let file = try OpenFile(path: location.partialPath, flags: flags, calls: calls)
                guard try file.lock() else { break }
                let status = try file.status()
                guard isNamed(location.partialPath, status) else { continue }
                guard let opened = try begin(location, url, file, status, calls) else { continue }
                if !opened.1.extents.isEmpty { return opened }
                switch try restoreEarlier(location, over: status, calls) {
                case .none: if isNamed(location.partialPath, status) { return opened }
                // The empty file stays: the other process renames its new version over it.
                case .replacing: break attempts
                case .restored, .replaced: break
                }
            }
        } catch where purpose == .playing && error.preventsWriting {
            return try openUnwritable(location, url: url, because: error, calls: calls)
        } catch {
            throw error.whileCreating(location.partialPath)
        }
        throw DownloadLocation.busy
    }

    /// - Returns: `nil` after a file without proven bytes was removed: another process may still read it and must not
    ///   see other bytes in it.
    private static func begin(
        _ location: DownloadLocation, _ url: String, _ file: OpenFile, _ status: stat, _ calls: DiskCalls
    ) throws(SystemError) -> (PartialFile, StoredContent)? {
        guard status.st_mode & S_IFMT == S_IFREG else { throw SystemError("open", code: EEXIST) }
        let number = UInt64(status.st_ino)
        if let manifest = try PartialFileManifest.load(from: location.manifestPath),
            let opened = try resume(manifest, location, url, file, number, calls)
        {
            return opened
        }
        // Without its bytes, the index belongs to an episode that was removed.
        try calls.remove(location.indexPath)
        if status.st_size > 0 {
            try calls.remove(location.partialPath)
            return nil
        }
        return (empty(location, url, file, number, calls), StoredContent())
    }

    /// Keeps each byte that matches its hash in the manifest, or that is not compared yet. A file that was copied,
    /// restored or moved to another disk has another inode number but the same bytes.
    /// - Parameter writeError: The reason why the file is only read.
    /// - Returns: `nil` if no byte is stored.
    static func resume(
        _ manifest: PartialFileManifest, _ location: DownloadLocation, _ url: String, _ file: OpenFile,
        _ number: UInt64, _ calls: DiskCalls, writeError: SystemError? = nil
    ) throws(SystemError) -> (PartialFile, StoredContent)? {
        var stored = manifest.stored
        let subject = subject(number, manifest.stamp, calls)
        let record = try PartialFileJournal.load(from: location.journalPath, about: subject)
        // A record must agree with the known length, and bytes that were never written do not count.
        for range in record?.extents.ranges ?? [] where range.upperBound <= stored.entity.total ?? .max {
            if !file.hasHole(in: range) { stored.extents.insert(range) }
        }
        // Only the first blocks are verified now, unless the file is complete and can be renamed immediately, or has
        // another inode: then all blocks are.
        let waits = number == manifest.fileNumber && !stored.isWhole
        let unproven = ByteRangeSet(waits ? Array(manifest.hashes.blocks.dropFirst(mostProvenAtOnce)) : [])
        let damaged = try manifest.hashes.damaged(in: file, besides: unproven)
        var (durable, hashes) = (manifest.stored.extents, manifest.hashes)
        for piece in damaged {
            stored.extents.subtract(piece)
            durable.subtract(piece)
        }
        hashes.forget(damaged)
        guard !stored.extents.isEmpty else { return nil }
        let partial = PartialFile(
            location, url: url, file: file, fileNumber: number, stamp: manifest.stamp,
            extents: stored.extents, durable: durable, noted: record?.sequence ?? 0, hashes: hashes, calls: calls,
            writeError: writeError)
        partial.content.withLock { $0.unverified = unproven }
        if !damaged.isEmpty { try partial.renewJournal() }
        if number != manifest.fileNumber, writeError == nil { try partial.save(stored) }
        return (partial, stored)
    }

    /// Writes the journal again, because it may name bytes that were found to be damaged.
    func renewJournal() throws(SystemError) {
        guard writeError == nil else { return }
        try journal.withLock { journal throws(SystemError) in
            try journal.forget()
            try journal.note(PartialFileJournal.grain, extents: fileExtents)
        }
    }

    static func empty(
        _ location: DownloadLocation, _ url: String, _ file: OpenFile, _ fileNumber: UInt64, _ calls: DiskCalls,
        writeError: SystemError? = nil
    ) -> PartialFile {
        PartialFile(
            location, url: url, file: file, fileNumber: fileNumber, stamp: .random(in: 0...UInt64.max),
            extents: ByteRangeSet(), durable: ByteRangeSet(), noted: 0, hashes: BlockHashes(), calls: calls,
            writeError: writeError)
    }

    static func isNamed(_ path: String, _ status: stat) -> Bool {
        var named = stat()
        return lstat(path, &named) == 0 && named.st_ino == status.st_ino && named.st_dev == status.st_dev
    }
}
