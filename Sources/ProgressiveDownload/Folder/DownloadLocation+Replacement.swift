// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// Replacing a kept file by a newer version; the kept file stays playable until the newer one is complete.
extension DownloadLocation {
    private static let mark = ".next"

    /// The location to which the newer version is downloaded.
    public var replacement: DownloadLocation { DownloadLocation(directory: directory, name: name + Self.mark) }

    /// The location of the complete file.
    public var final: DownloadLocation { DownloadLocation(directory: directory, name: finalName) }

    var finalName: String { name.hasSuffix(Self.mark) ? String(name.dropLast(Self.mark.count)) : name }

    /// Moves a complete newer version into place, and renames the file to the extension of its content. An
    /// interrupted call is completed by the next one.
    /// - Returns: The current location of the file.
    public func finalized() -> DownloadLocation { finalized(DiskCalls()) }

    func finalized(_ calls: DiskCalls) -> DownloadLocation {
        do throws(SystemError) {
            if replacement.presence == .complete { try takeReplacement(calls) }
            guard presence == .complete else { return self }
            return try renamed(to: corrected(by: OpenFile.beginning(of: path)), calls)
        } catch {
            // In a read-only folder the kept file is played under its present name.
            return self
        }
    }

    /// Replaces the kept file under its present name, in one step: under two names, the older one could be found later.
    private func takeReplacement(_ calls: DiskCalls) throws(SystemError) {
        for path in [indexPath, originPath, partialPath, manifestPath, journalPath, earlierPath, earlierManifestPath] {
            try calls.remove(path)
        }
        _ = try replacement.renamed(to: self, calls)
    }

    private func renamed(to place: DownloadLocation, _ calls: DiskCalls) throws(SystemError) -> DownloadLocation {
        guard place != self else { return self }
        try calls.rename(path, to: place.path)
        for (from, to) in [(originPath, place.originPath), (indexPath, place.indexPath)] where Self.exists(from) {
            try calls.rename(from, to: to)
        }
        return place
    }

    /// Returns the same location with the extension that fits these first bytes.
    private func corrected(by beginning: [UInt8]) -> DownloadLocation {
        guard name == finalName, let dot = name.lastIndex(of: "."), let ending = AudioFileEnding.ofContent(beginning),
            !AudioFileEnding.fits(String(name[name.index(after: dot)...]), beginning)
        else { return self }
        return DownloadLocation(directory: directory, name: "\(name[...dot])\(ending)")
    }

    /// Returns the location of the complete file with this inode number, if it was moved from here. The number must
    /// be that of an open file, because the number of a removed file can be reused.
    func finalized(number: UInt64) -> DownloadLocation? {
        let stem = finalName.lastIndex(of: ".").map { finalName[...$0] } ?? ""
        let names = [finalName] + AudioFileEnding.all.map { "\(stem)\($0)" }
        return names.lazy.map { DownloadLocation(directory: directory, name: $0) }.first { place in
            var status = stat()
            return lstat(place.path, &status) == 0 && UInt64(status.st_ino) == number
        }
    }

    /// True if any of its files exists in its directory.
    var isOccupied: Bool { [self, replacement].contains { $0.presence != .absent } }

    /// Returns true if the name exists, even as a dangling link.
    static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}

extension OpenFile {
    /// Returns enough of a file's first bytes to identify its container.
    fileprivate static func beginning(of path: String) throws(SystemError) -> [UInt8] {
        let file = try OpenFile(path: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: 1 << 10)
        let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
            try file.read(at: 0, into: UnsafeMutableRawBufferPointer(bytes))
        }
        return Array(bytes.prefix(count))
    }
}
