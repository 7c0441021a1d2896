// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
public import Media
import ProgressiveDownload

/// The trash: removed files stay there for a month, unless their space is needed.
extension LibraryDownloads {
    /// Moves the downloads of these episodes to the trash: the files first, because a folder may not be writable. If
    /// one of them cannot be moved, or the library cannot record the removal, the files move back.
    /// - Returns: the number of bytes that emptying the trash will free.
    @discardableResult
    public func remove(_ episodes: [Int64]) throws -> Int64 {
        let kept = try library.downloads()
        let removed = kept.filter { episodes.contains($0.episode) }
        let files = try listed()
        try movingBackOnFailure {
            let others = kept.filter { !episodes.contains($0.episode) }
            if let failure = files.moveToTrash(removed, unlessFilesOf: others).failure { throw failure }
            try library.removeDownloads(episodes)
        }
        try synchronizeTrash()
        return trashedBytes(of: removed)
    }

    /// Moves the downloads of these episodes to the trash, because a rule demands it. A download whose file cannot be
    /// moved stays.
    /// - Returns: the removed episodes, and the first failure.
    func removeByRule(_ episodes: [Int64]) throws -> (removed: Set<Int64>, failure: MediaFailure?) {
        guard !episodes.isEmpty else { return ([], nil) }
        let kept = try library.downloads()
        let files = try listed()
        let result = try movingBackOnFailure {
            let others = kept.filter { !episodes.contains($0.episode) }
            let stuck = files.moveToTrash(kept.filter { episodes.contains($0.episode) }, unlessFilesOf: others)
            let removed = episodes.filter { !stuck.episodes.contains($0) }
            if !removed.isEmpty { try library.removeDownloads(removed, byRule: true) }
            return (removed: Set(removed), failure: stuck.failure)
        }
        if result.failure != nil { moveBack() }
        return result
    }

    /// Moves the files back that the library still lists, after a failure, which the caller reports.
    private func moveBack() {
        do {
            try synchronizeTrash()
        } catch {
            // The next synchronization moves the rest back.
        }
    }

    /// Performs a removal. If it fails, the files move back that the library still lists.
    private func movingBackOnFailure<Value>(_ removal: () throws -> Value) throws -> Value {
        do {
            return try removal()
        } catch {
            moveBack()
            throw error
        }
    }

    /// Merges an episode into another one. If both have a file, one of the files moves to the trash.
    /// - Returns: the number of bytes that emptying the trash will free.
    public func merge(_ duplicate: Int64, into episode: Int64) throws -> Int64 {
        try merging { try library.merge(duplicate, into: episode) }.trashed
    }

    /// Performs a change that may merge episodes. If both episodes of a merge have a file, one of the files moves to
    /// the trash.
    /// - Returns: the value, and the number of bytes that emptying the trash will free.
    public func merging<Value>(_ change: () throws -> Value) throws -> (value: Value, trashed: Int64) {
        let before = try library.downloads()
        let value = try change()
        let displaced = try displaced(of: before)
        guard !displaced.isEmpty else { return (value, 0) }
        try synchronizeTrash()
        return (value, trashedBytes(of: displaced))
    }

    /// Returns the downloads whose episodes were merged since, and now have another download or none.
    private func displaced(of before: [Download]) throws -> [Download] { try before.filter { try !isRecorded($0) } }

    /// Returns the downloads whose files belong in the trash: the removed ones, and those of merged episodes as long as
    /// the merge can be undone.
    func discarded() throws -> [Download] { try library.removedDownloads() + library.undoableDownloads() }

    /// Returns true if a process plays or downloads the episode's unfinished file. Without its name, the file could
    /// not be completed.
    public func isBusy(_ episode: Int64) throws -> Bool {
        try library.download(of: episode).map { try location($0).isBusy() } ?? false
    }

    /// Returns the number of bytes of these downloads in the trash. A file that another episode shares is not in the
    /// trash.
    func trashedBytes(of downloads: [Download]) -> Int64 {
        locations(of: downloads).reduce(0) { $0 + $1.inTrash.occupiedBytes }
    }

    /// Returns the number of downloads in the trash and their size in bytes. A file that several acts have moved there
    /// counts once.
    public func trash() throws -> (count: Int, bytes: Int64) {
        let held = try locations(of: discarded()).map(\.inTrash).filter { $0.presence != .absent }
        return (held.count, held.reduce(0) { $0 + $1.occupiedBytes })
    }

    /// Moves the files to where the library says they belong: into the trash, or out of it.
    public func synchronizeTrash() throws {
        if let failure = try listed().moveFiles() { throw failure }
    }

    /// Moves all files that can be moved.
    /// - Returns: the first failure.
    private func moveFiles() throws -> MediaFailure? {
        let kept = try library.downloads()
        var failure: MediaFailure?
        // The kept files come first: a survey reports those in the trash as missing.
        for download in kept {
            do throws(MediaFailure) {
                try moveOutOfTrash(location(download))
            } catch {
                failure = failure ?? error
            }
        }
        let stuck = moveToTrash(try discarded(), unlessFilesOf: kept)
        return failure ?? stuck.failure
    }

    /// Moves the files of downloads to the trash, except those that a kept download has as well.
    /// - Returns: the episodes whose files cannot be moved, and the first failure.
    private func moveToTrash(
        _ downloads: [Download], unlessFilesOf kept: [Download]
    ) -> (episodes: Set<Int64>, failure: MediaFailure?) {
        let needed = Set(kept.map(location))
        var (stuck, failure): (Set<Int64>, MediaFailure?) = ([], nil)
        for download in downloads where !needed.contains(location(download)) {
            do throws(MediaFailure) {
                try moveToTrash(location(download))
            } catch {
                stuck.insert(download.episode)
                failure = failure ?? error
            }
        }
        return (stuck, failure)
    }

    private func moveToTrash(_ place: DownloadLocation) throws(MediaFailure) {
        // A process that plays or downloads the unfinished file needs its name; a later synchronization moves it.
        guard place.presence != .absent, try !place.isBusy() else { return }
        try place.move(to: place.inTrash)
    }

    private func moveOutOfTrash(_ place: DownloadLocation) throws(MediaFailure) {
        switch (place.inTrash.presence, place.presence) {
        case (.absent, _): break
        // The file was downloaded again after its removal.
        case (_, .complete): try place.inTrash.erase()
        case (let presence, _):
            // If a download started again from its address, the complete file has another name than the partial one.
            if presence == .complete { place.inTrash.removeLeftovers() }
            try place.inTrash.move(to: place)
        }
    }

    // MARK: Emptying the trash

    /// Deletes the files that have been in the trash for at least `age`; `nil` deletes all. Other changes can still be
    /// undone.
    /// - Returns: the number of bytes freed.
    @discardableResult
    public func emptyTrash(olderThan age: Duration? = Library.trashAge) throws -> Int64 {
        let latest = try age.map { try library.countedTime().secondsSince1970 - $0.components.seconds } ?? .max
        let removed = try discarded()
        let isOld = { (download: Download) in download.removedAt.map { $0.secondsSince1970 <= latest } ?? false }
        // Two episodes can have one file.
        let needed = Set(removed.filter { !isOld($0) }.map(location))
        return try erase(removed.filter { isOld($0) && !needed.contains(location($0)) })
    }

    /// Deletes files from the trash, the oldest first, until `bytes` bytes have been freed.
    /// - Returns: the number of bytes freed.
    @discardableResult
    public func emptyTrash(freeing bytes: Int64) throws -> Int64 {
        guard bytes > 0 else { return 0 }
        var freed: Int64 = 0
        for (_, downloads) in try byAge(discarded()) where freed < bytes {
            freed += try erase(downloads)
        }
        return freed
    }

    /// Empties the trash as far as a full or nearly full disk requires it. A server can declare any length: for a file
    /// that would not fit even without the trash, nothing is deleted.
    /// - Parameter count: the number of bytes that the caller will store.
    /// - Returns: the number of bytes freed.
    @discardableResult
    public func freeSpace(for count: Int64 = 0) throws -> Int64 {
        let needed = folders.current.shortage(for: count)
        guard try count == 0 || needed <= trash().bytes else { return try freeSpace() }
        return try emptyTrash(freeing: needed)
    }

    /// Permanently deletes downloads removed, and podcasts unsubscribed, more than a month ago. The files are deleted
    /// first: without its row, the owner of a file would be unknown.
    /// - Returns: the failure of the first file that cannot be moved to or from the trash.
    @discardableResult
    public func forgetOld() throws -> MediaFailure? {
        let failure = try listed().moveFiles()
        try library.countTime()
        try emptyTrash()
        let forgotten = try library.downloadsToForget()
        let owners = Set(forgotten.map(\.episode))
        let others = try (library.downloads() + library.removedDownloads()).filter { !owners.contains($0.episode) }
        let places = locations(of: forgotten).subtracting(others.map(location))
        _ = try erase(places.flatMap { [$0, $0.inTrash] }) { try library.emptyTrash() }
        return failure
    }

    private func locations(of downloads: [Download]) -> Set<DownloadLocation> { Set(downloads.map(location)) }

    /// Groups downloads that share a file, the oldest first; the latest removal determines the age of the file.
    private func byAge(_ removed: [Download]) -> [(place: DownloadLocation, downloads: [Download])] {
        let age = { (downloads: [Download]) in downloads.compactMap { $0.removedAt?.secondsSince1970 }.max() ?? 0 }
        return Dictionary(grouping: removed, by: location).sorted { left, right in
            (age(left.value), left.key.name) < (age(right.value), right.key.name)
        }.map { ($0.key, $0.value) }
    }

    /// Erases the trashed files of removed downloads and forgets the downloads.
    private func erase(_ removed: [Download]) throws -> Int64 {
        let held = try removed.filter { download in
            let place = location(download)
            // A file in use is moved to the trash later.
            return try place.inTrash.presence != .absent || download.state != .wanted && !place.isBusy()
        }
        // The file of a kept download may be unable to leave the trash.
        let kept = locations(of: try library.downloads())
        return try erase(locations(of: held).subtracting(kept).map(\.inTrash)) {
            for download in held where try isRecorded(download) { try library.forgetDownload(download.episode) }
        }
    }

    /// False for the download of a merged episode: its episode has another one, or none.
    private func isRecorded(_ download: Download) throws -> Bool {
        try library.download(of: download.episode)?.keptAs == download.keptAs
    }

    /// Erases files permanently, and then changes the library: a full disk has no space for the change before.
    /// - Returns: the number of bytes freed.
    func erase(_ files: [DownloadLocation], then change: () throws -> Void) throws -> Int64 {
        let freed = files.reduce(0) { $0 + $1.occupiedBytes }
        for file in files { try file.erase() }
        try change()
        return freed
    }
}

// MARK: Undo
extension LibraryDownloads {
    /// The result of `undo`.
    public struct UndoReport: Sendable, Equatable {
        public let undoing: UndoResult
        /// The titles of downloads that are wanted again because their files were deleted in the meantime.
        public let lostFiles: [String]
        /// The bytes of the second files of merged episodes, which are now in the trash.
        public let trashed: Int64

        public init(undoing: UndoResult, lostFiles: [String], trashed: Int64 = 0) {
            (self.undoing, self.lostFiles, self.trashed) = (undoing, lostFiles, trashed)
        }
    }

    /// Undoes the listener's latest act and restores the removed files. If that merges episodes again that both have a
    /// file, one of the files moves to the trash.
    public func undo() throws -> UndoReport {
        let before = try library.downloads()
        let kept = Set(before.map(\.episode))
        let undoing = try library.undoLatest()
        try synchronizeTrash()
        let restored = try library.downloads().filter { !kept.contains($0.episode) }
        let lost = try restored.filter(isLost)
        for download in restored { try survey(download.episode) }
        // Reported once, a lost file is like one that was never stored.
        for download in lost where download.state == .wanted {
            try library.noteDownload(download.episode, .wanted, total: nil, extents: [])
        }
        return UndoReport(
            undoing: undoing, lostFiles: try lost.map { try library.episode($0.episode).name },
            trashed: trashedBytes(of: try displaced(of: before)))
    }

    /// True if the file is missing; a download that never stored a byte is not lost.
    private func isLost(_ download: Download) throws -> Bool {
        guard location(download).presence == .absent else { return false }
        return download.state == .complete || download.state == .partial || download.total != nil
    }
}
