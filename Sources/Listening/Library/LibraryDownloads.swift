// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media
import Podcasts
public import ProgressiveDownload

/// The files of the library's episodes: what the library says and what the disk has are brought into line here. Waits
/// for the disk.
public struct LibraryDownloads: Sendable {
    let library: Library
    let directory: KeepDirectory

    public init(_ library: Library, in directory: KeepDirectory) {
        self.library = library
        self.directory = directory
    }

    /// - Returns: the bytes that are free now.
    private func erase(_ keptAs: String) throws -> Int64 {
        let place = directory.location(forEnclosure: keptAs).inTrash
        let bytes = place.occupiedBytes
        try place.erase()
        return bytes
    }

    func location(_ download: Download) -> DownloadLocation {
        directory.location(forEnclosure: download.keptAs)
    }

    /// What was asked for and is not here yet, the oldest wish first.
    /// - Parameter episodes: of these; `nil` is of all.
    public func pending(_ episodes: [Int64]? = nil) throws(LibraryError) -> [Playable] {
        let targets = LibraryTargets(library)
        let chosen = episodes.map(Set.init)
        var playables: [Playable] = []
        for download in try library.downloads() where download.state != .complete {
            let episode = try library.episode(download.episode)
            // Its feed may have taken its audio away meanwhile.
            guard chosen?.contains(episode.id) ?? true, episode.enclosureURL != nil else { continue }
            playables.append(try targets.playable(episode))
        }
        return playables
    }

    /// Notes what is on disk of each, which a process that was killed could not tell.
    public func survey() throws {
        for download in try library.downloads() { try survey(download) }
    }

    /// Notes what is on disk of one episode, unless it is in the trash.
    func survey(_ episode: Int64) throws {
        if let download = try library.download(of: episode), download.removedAt == nil { try survey(download) }
    }

    private func survey(_ download: Download) throws {
        let place = location(download)
        switch (place.presence, download.state) {
        case (.complete, .partial), (.complete, .wanted), (.complete, .failed):
            guard let length = place.length else { return }
            try library.noteFound(download.episode, .complete, total: length, extents: [0..<max(1, length)])
        case (.absent, .complete), (.absent, .partial):
            try library.noteFound(
                download.episode, .failed, total: download.total, extents: [], failure: "its file is gone")
        case (.partial, .wanted), (.partial, .partial):
            let held = try place.partialRecord()
            try library.noteFound(
                download.episode, .partial, total: held?.total ?? download.total,
                extents: held?.extents.ranges ?? download.extents)
        default: break
        }
    }

    /// Puts the downloads of these episodes into the trash.
    /// - Returns: the bytes that will be free when the trash is emptied.
    public func remove(_ episodes: [Int64], byRule: Bool = false) throws -> Int64 {
        let before = try episodes.compactMap { try library.download(of: $0) }.filter { $0.removedAt == nil }
        try library.removeDownloads(episodes, byRule: byRule)
        try settleTrash()
        // A file that another episode has as well is where it was.
        let names = Set(before.map(\.keptAs))
        return names.reduce(0) { $0 + directory.location(forEnclosure: $1).inTrash.occupiedBytes }
    }

    /// Takes back what the listener did last, and brings back the files of what was removed.
    /// - Returns: what it was, and how many downloads are wanted again of which nothing is here any more.
    public func undo() throws -> (act: Act, lost: Int) {
        let emptied = Set(try library.removedDownloads().filter { $0.state == .wanted }.map(\.episode))
        let act = try library.undo()
        try settleTrash()
        let lost = try library.downloads().filter {
            emptied.contains($0.episode) && location($0).presence == .absent
        }
        return (act, lost.count)
    }

    /// Moves the files to where the library says they belong: into the trash, or back out of it.
    public func settleTrash() throws {
        let kept = try library.downloads()
        let needed = Set(kept.map(\.keptAs))
        for download in try library.removedDownloads() where !needed.contains(download.keptAs) {
            let place = location(download)
            if place.presence != .absent { try place.move(to: place.inTrash) }
        }
        for download in kept {
            let place = location(download)
            guard place.inTrash.presence != .absent else { continue }
            switch place.presence {
            case .absent: try place.inTrash.move(to: place)
            // It was fetched again since then.
            case .complete: try place.inTrash.erase()
            case .partial: break
            }
        }
    }

    /// Throws away the files that have been in the trash for as long as this. What else was done can still be undone.
    /// - Returns: the bytes that are free now.
    @discardableResult
    public func emptyTrash(olderThan age: Duration = Library.trashAge) throws -> Int64 {
        let latest = library.currentTime.secondsSince1970 - age.components.seconds
        let removed = try library.removedDownloads()
        let isOld = { (download: Download) in download.removedAt.map { $0.secondsSince1970 <= latest } ?? false }
        // Two episodes can have one file.
        let needed = Set(removed.filter { !isOld($0) }.map(\.keptAs))
        let old = removed.filter { download in
            isOld(download) && !needed.contains(download.keptAs)
                && (download.state != .wanted || location(download).inTrash.presence != .absent)
        }
        // The files first: where the disk is full, there is no room to note anything before they are gone.
        let freed = try Set(old.map(\.keptAs)).reduce(Int64(0)) { try $0 + erase($1) }
        for download in old { try library.forgetDownload(download.episode) }
        return freed
    }
}
