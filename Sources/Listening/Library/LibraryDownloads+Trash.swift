// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Podcasts
import ProgressiveDownload

/// The trash: what is removed waits there for a month, unless its bytes are needed.
extension LibraryDownloads {
    /// Moves the downloads of these episodes to the trash.
    /// - Returns: the bytes that are free once the trash is emptied.
    @discardableResult
    public func remove(_ episodes: [Int64], byRule: Bool = false) throws -> Int64 {
        let before = try episodes.compactMap { try library.download(of: $0) }.filter { $0.removedAt == nil }
        try library.removeDownloads(episodes, byRule: byRule)
        try settleTrash()
        return trashedBytes(of: before)
    }

    /// Bytes that these downloads have in the trash. A file that another episode has as well is not there.
    func trashedBytes(of downloads: [Download]) -> Int64 {
        places(of: downloads).reduce(0) { $0 + $1.inTrash.occupiedBytes }
    }

    /// How many downloads the trash holds, and how many bytes.
    public func trash() throws -> (count: Int, bytes: Int64) {
        let held = try library.removedDownloads().filter { location($0).inTrash.presence != .absent }
        return (held.count, trashedBytes(of: held))
    }

    /// Moves the files to where the library says they belong: into the trash, or back out of it.
    public func settleTrash() throws { try listed().moveFiles() }

    private func moveFiles() throws {
        let kept = try library.downloads()
        let needed = Set(kept.map(location))
        for download in try library.removedDownloads() where !needed.contains(location(download)) {
            let place = location(download)
            if place.presence != .absent { try place.move(to: place.inTrash) }
        }
        for download in kept { try bringBack(location(download)) }
    }

    private func bringBack(_ place: DownloadLocation) throws {
        switch (place.inTrash.presence, place.presence) {
        case (.absent, _): break
        case (_, .absent): try place.inTrash.move(to: place)
        case (.complete, .partial):
            // It was begun again by its address. The whole file has another name than what is under way.
            place.inTrash.removeLeftovers()
            try place.inTrash.move(to: place)
        // It was fetched again since then.
        case (_, .complete), (.partial, .partial): try place.inTrash.erase()
        }
    }

    // MARK: Emptying

    /// Deletes the files that have been in the trash for as long as this. What else was done can still be undone.
    /// - Returns: the bytes that are free now.
    @discardableResult
    public func emptyTrash(olderThan age: Duration = Library.trashAge) throws -> Int64 {
        let latest = library.currentTime.secondsSince1970 - age.components.seconds
        let removed = try library.removedDownloads()
        let isOld = { (download: Download) in download.removedAt.map { $0.secondsSince1970 <= latest } ?? false }
        // Two episodes can have one file.
        let needed = Set(removed.filter { !isOld($0) }.map(location))
        return try erase(removed.filter { isOld($0) && !needed.contains(location($0)) })
    }

    /// Deletes files from the trash, the oldest first, until so many bytes are free.
    /// - Returns: the bytes that are free now.
    @discardableResult
    public func emptyTrash(freeing bytes: Int64) throws -> Int64 {
        guard bytes > 0 else { return 0 }
        var freed: Int64 = 0
        for (_, downloads) in try byAge(library.removedDownloads()) where freed < bytes {
            freed += try erase(downloads)
        }
        return freed
    }

    /// Empties the trash as far as a disk that is full, or nearly so, needs it.
    /// - Parameter count: bytes that are to be stored.
    /// - Returns: the bytes that are free now.
    @discardableResult
    public func makeRoom(for count: Int64 = 0) throws -> Int64 {
        try emptyTrash(freeing: folders.current.shortage(for: count))
    }

    /// Forgets what was removed or unsubscribed from a month ago: the files first, for without its row nobody would
    /// know whose a file was.
    public func forgetOld() throws {
        try settleTrash()
        try emptyTrash()
        let forgotten = try library.downloadsToForget()
        let owners = Set(forgotten.map(\.episode))
        let others = try (library.downloads() + library.removedDownloads()).filter { !owners.contains($0.episode) }
        for place in places(of: forgotten).subtracting(others.map(location)) {
            try place.erase()
            try place.inTrash.erase()
        }
        try library.emptyTrash()
    }

    private func places(of downloads: [Download]) -> Set<DownloadLocation> { Set(downloads.map(location)) }

    /// Downloads with one file belong together: the one removed last says how old the file is.
    private func byAge(_ removed: [Download]) -> [(place: DownloadLocation, downloads: [Download])] {
        let age = { (downloads: [Download]) in downloads.compactMap(\.removedAt?.secondsSince1970).max() ?? 0 }
        return Dictionary(grouping: removed, by: location).sorted { left, right in
            (age(left.value), left.key.name) < (age(right.value), right.key.name)
        }.map { ($0.key, $0.value) }
    }

    /// The files first: on a full disk nothing can be noted before they are gone.
    private func erase(_ removed: [Download]) throws -> Int64 {
        let held = removed.filter { location($0).inTrash.presence != .absent || $0.state != .wanted }
        let freed = trashedBytes(of: held)
        for place in places(of: held) { try place.inTrash.erase() }
        for download in held { try library.forgetDownload(download.episode) }
        return freed
    }
}

// MARK: Undo
extension LibraryDownloads {
    /// What `undo` did.
    public struct Undone: Sendable, Equatable {
        public let undoing: Undoing
        /// Titles of downloads that are wanted again, for their files were deleted meanwhile.
        public let lostFiles: [String]

        public init(undoing: Undoing, lostFiles: [String]) {
            (self.undoing, self.lostFiles) = (undoing, lostFiles)
        }
    }

    /// Undoes the listener's latest act, and brings back the files of what was removed.
    public func undo() throws -> Undone {
        let removed = Set(try library.removedDownloads().map(\.episode))
        let undoing = try library.undoLatest()
        try settleTrash()
        let restored = try library.downloads().filter { removed.contains($0.episode) }
        let lost = try restored.filter(isLost)
        for download in lost { try survey(download.episode) }
        return Undone(undoing: undoing, lostFiles: try lost.map { try library.episode($0.episode).name })
    }

    /// Of a download of which nothing ever arrived, nothing is lost.
    private func isLost(_ download: Download) throws -> Bool {
        guard location(download).presence == .absent else { return false }
        return download.state == .complete || download.state == .partial || download.total != nil
    }
}
