// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
public import Media

/// Copies a kept episode to a path that the listener chose: under a free name, and never partially.
public struct FileDelivery: Sendable {
    private let path: String
    private let title: String?

    /// - Parameters:
    ///   - path: The file to create, or the directory to create it in.
    ///   - title: The name of a file in a directory; `nil` for the name of the kept file.
    public init(to path: String, title: String? = nil) { (self.path, self.title) = (path, title) }

    /// Returns a delivery to the same path for an episode with this title.
    public func named(_ title: String) -> FileDelivery { FileDelivery(to: path, title: title) }

    /// Checks, before a byte is downloaded, that the episode can be delivered.
    /// - Throws: `cannotCreate` or `inputOutput`.
    public func check(for location: DownloadLocation) throws(MediaFailure) {
        let target = target(for: location)
        guard !DownloadLocation.exists(target) else { return try expectSame(location, at: target) }
        do throws(SystemError) {
            let temporary = Self.temporary(beside: target)
            _ = try OpenFile(path: temporary, flags: O_WRONLY | O_CREAT | O_EXCL)
            unlink(temporary)
        } catch {
            throw error.whileCreating(target)
        }
    }

    /// Creates the file as a copy, which shares its blocks with the kept file if the file system supports that. A
    /// hard link is never used, because a program that edits the tags would change both files. Waits for the device;
    /// the file appears when it is complete.
    /// - Returns: The path of the file.
    /// - Throws: `cannotCreate` or `inputOutput`.
    public func deliver(_ location: DownloadLocation) throws(MediaFailure) -> String {
        let target = target(for: location)
        guard !DownloadLocation.exists(target) else {
            try expectSame(location, at: target)
            return target
        }
        do throws(SystemError) {
            try Self.copy(location.path, to: target)
            let directory = target.lastIndex(of: "/").map { String(target[...$0]) } ?? "."
            try OpenFile(path: directory, flags: O_RDONLY | O_DIRECTORY).synchronizeAll()
        } catch {
            let failure = error.whileCreating(target)
            guard failure.kind == .inputOutput else { throw failure }
            throw MediaFailure(failure.kind, "cannot write \(target): \(failure.reason); the episode itself is kept")
        }
        return target
    }

    private func target(for location: DownloadLocation) -> String {
        guard KeepDirectory.isDirectory(path) else { return path }
        let kept = location.finalName
        let name = title.flatMap { TitleFileName.name(for: $0, like: kept) } ?? kept
        return (path.hasSuffix("/") ? path : path + "/") + name
    }

    private func expectSame(_ location: DownloadLocation, at target: String) throws(MediaFailure) {
        do throws(SystemError) {
            if location.presence == .complete, try Self.areEqual(location.path, target) { return }
        } catch {
            throw error.whileCreating(target)
        }
        throw MediaFailure(.cannotCreate, "\"\(target)\" exists and is a different file; it was not replaced")
    }
}

// MARK: Files
extension FileDelivery {
    private static let chunk = 1 << 20

    /// Returns a name that no other process uses, also if containers with the same process numbers share the folder.
    private static func temporary(beside target: String) -> String {
        let folder = target.lastIndex(of: "/").map { target[...$0] } ?? ""
        return folder + ".earshot-\(UInt64.random(in: 0...UInt64.max)).new"
    }

    private static func copy(_ path: String, to target: String) throws(SystemError) {
        let temporary = temporary(beside: target)
        do throws(SystemError) {
            let from = try OpenFile(path: path, flags: O_RDONLY | O_NOFOLLOW)
            // The file belongs to the listener: the umask determines who may read it.
            let to = try OpenFile(path: temporary, flags: O_WRONLY | O_CREAT | O_EXCL, mode: 0o666)
            if !to.clone(from) { try copy(from, to: to) }
            try FinishedFile(path: temporary).rename(to: target)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    private static func copy(_ from: OpenFile, to: OpenFile) throws(SystemError) {
        var offset: Int64 = 0
        try withChunk { buffer throws(SystemError) in
            while case let count = try from.read(at: offset, into: buffer), count > 0 {
                try to.write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), at: offset)
                offset += Int64(count)
            }
        }
    }

    private static func areEqual(_ path: String, _ other: String) throws(SystemError) -> Bool {
        let files = (
            try OpenFile(path: path, flags: O_RDONLY | O_NONBLOCK),
            try OpenFile(path: other, flags: O_RDONLY | O_NONBLOCK)
        )
        let (status, otherStatus) = (try files.0.status(), try files.1.status())
        guard otherStatus.st_mode & S_IFMT == S_IFREG, status.st_size == otherStatus.st_size else { return false }
        if status.st_ino == otherStatus.st_ino, status.st_dev == otherStatus.st_dev { return true }
        return try withChunk { buffer throws(SystemError) in
            var offset: Int64 = 0
            while case let count = try files.0.read(at: offset, into: buffer), count > 0 {
                let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<count])
                guard try files.1.equals(bytes, at: offset) else { return false }
                offset += Int64(count)
            }
            return true
        }
    }

    private static func withChunk<Result>(
        _ body: (UnsafeMutableRawBufferPointer) throws(SystemError) -> Result
    ) throws(SystemError) -> Result {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: chunk, alignment: 16)
        defer { buffer.deallocate() }
        return try body(buffer)
    }
}
