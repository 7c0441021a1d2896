// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Glibc
import HTTPTransfer
import Media
import ProgressiveDownload
import Subscriptions

/// The pictures of podcasts and episodes as files below `$XDG_CACHE_HOME/earshot/covers` (XDG Base Directory
/// Specification), where they may be deleted at any time. A cover is never worth an error.
struct CoverFiles: Sendable {
    private static let longest: off_t = 32 << 20

    /// The picture of an episode: its address, and the feed that names it.
    struct Source: Sendable {
        let address: String
        let feed: SubscribedFeed?
    }

    private let folder: String

    init() {
        let home = CompositionRoot.environment("HOME") ?? "/nonexistent"
        let cache = CompositionRoot.environment("XDG_CACHE_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
        folder = (cache ?? home + "/.cache") + "/earshot/covers"
    }

    /// Returns the picture of an episode, or else of its podcast; `nil` if there is none.
    /// - Parameter isOwn: false to ignore the picture of the episode.
    static func source(of episode: Int64, isOwn: Bool, in library: Library) throws(LibraryError) -> Source? {
        let podcast = try library.episode(episode).podcast
        let own = isOwn ? try library.notes(of: episode).image : nil
        let general = try library.podcast(podcast).image
        guard let address = own ?? general else { return nil }
        return Source(address: address, feed: try library.feeds([podcast]).first)
    }

    /// Returns the path of a picture, which is fetched if it is not there yet; `nil` after any failure.
    func file(of source: Source, over transport: @Sendable () -> any HTTPTransport) async -> String? {
        let path = path(for: Array(source.address.utf8))
        if await DiskWork.run({ () throws(Never) in Self.isThere(path) }) { return path }
        guard
            let bytes = try? await PictureFetcher(transport: transport()).picture(at: source.address, of: source.feed),
            AudioMetadata.Artwork.mediaType(of: bytes) != nil
        else { return nil }
        return await DiskWork.run { () throws(Never) in write(bytes, to: path) ? path : nil }
    }

    /// Returns the path of a picture of an audio file, which is stored if it is not there yet; `nil` after any failure,
    /// and for bytes that are not a picture. Blocks on disk access.
    func file(of artwork: AudioMetadata.Artwork) -> String? {
        guard AudioMetadata.Artwork.mediaType(of: artwork.bytes) != nil else { return nil }
        let path = path(for: artwork.bytes)
        return Self.isThere(path) || write(artwork.bytes, to: path) ? path : nil
    }

    private func path(for key: [UInt8]) -> String {
        "\(folder)/\(String(key.withUnsafeBytes { ContentHash.value(of: $0) }, radix: 16))"
    }

    func read(_ path: String) -> [UInt8]? {
        guard let file = try? FileDescriptor(path: path, flags: O_RDONLY), let size = try? file.status().st_size,
            size > 0, size < Self.longest
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(size))
        let count = bytes.withUnsafeMutableBytes { try? file.read(at: 0, into: $0) }
        return count == bytes.count ? bytes : nil
    }

    /// Keeps a file.
    /// - Returns: false after a failure, which only means that the file is made again.
    @discardableResult
    func write(_ bytes: [UInt8], to path: String) -> Bool {
        guard (try? KeepDirectory(path: folder).create()) != nil else { return false }
        let draft = "\(path).\(UInt64.random(in: 0 ... .max))"
        guard (try? NewFile.write(bytes, to: draft)) != nil else { return false }
        guard rename(draft, path) == 0 else {
            unlink(draft)
            return false
        }
        removeOldest()
        return true
    }

    /// Returns true if a file is there, and notes that it is used.
    private static func isThere(_ path: String) -> Bool {
        utimensat(AT_FDCWD, path, nil, 0) == 0 && access(path, R_OK) == 0
    }

    /// The most bytes that are kept: each chapter can have a picture.
    private static let mostBytes = 200 << 20

    /// Removes the files that were not used for the longest time if there are too many.
    private func removeOldest() {
        let files = files().sorted { $0.used < $1.used }
        var excess = files.reduce(0) { $0 + $1.bytes } - Self.mostBytes
        for file in files.dropLast() where excess > 0 {
            unlink(file.path)
            excess -= file.bytes
        }
    }

    private func files() -> [(path: String, bytes: Int, used: Int)] {
        ((try? FolderNames.all(in: folder)) ?? []).compactMap { name in
            let path = "\(folder)/\(name)"
            var status = stat()
            guard lstat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            return (path, Int(status.st_size), status.st_mtim.tv_sec)
        }
    }
}
