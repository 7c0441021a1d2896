// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// A newer issue that takes the place of a kept file, which stays playable until the newer one is whole.
extension DownloadLocation {
    private static let mark = ".next"

    /// Where the newer issue arrives.
    public var replacement: DownloadLocation { DownloadLocation(directory: directory, name: name + Self.mark) }

    /// Where the file will be once it is whole.
    public var final: DownloadLocation { DownloadLocation(directory: directory, name: finalName) }

    var finalName: String { name.hasSuffix(Self.mark) ? String(name.dropLast(Self.mark.count)) : name }

    /// Puts a newer issue that is whole into its place, and gives the file the ending that its content has.
    /// Interrupted, it is finished by doing it again.
    /// - Returns: where the file is now.
    public func settled() -> DownloadLocation {
        do throws(SystemError) {
            if replacement.presence == .complete { return try takingReplacement() }
            guard presence == .complete else { return self }
            return try renamed(to: corrected(by: OpenFile.beginning(of: path)))
        } catch {
            // In a folder that can only be read the kept file plays under the name that it has.
            return self
        }
    }

    private func takingReplacement() throws(SystemError) -> DownloadLocation {
        let (next, calls) = (replacement, DiskCalls())
        let place = corrected(by: try OpenFile.beginning(of: next.path))
        for path in [indexPath, originPath, partialPath, manifestPath, journalPath, earlierPath, earlierManifestPath] {
            try calls.remove(path)
        }
        let settled = try next.renamed(to: place)
        if place != self { try calls.remove(path) }
        return settled
    }

    private func renamed(to place: DownloadLocation) throws(SystemError) -> DownloadLocation {
        guard place != self else { return self }
        try DiskCalls().rename(path, to: place.path)
        for (from, to) in [(originPath, place.originPath), (indexPath, place.indexPath)] where Self.exists(from) {
            try DiskCalls().rename(from, to: to)
        }
        return place
    }

    /// The same place under the ending that fits these first bytes.
    private func corrected(by beginning: [UInt8]) -> DownloadLocation {
        guard name == finalName, let dot = name.lastIndex(of: "."), let ending = AudioFileEnding.ofContent(beginning),
            !AudioFileEnding.fits(String(name[name.index(after: dot)...]), beginning)
        else { return self }
        return DownloadLocation(directory: directory, name: "\(name[...dot])\(ending)")
    }

    /// Where the whole file of this number is, if it was settled from here. The number is of an open file, for else
    /// another file can get it.
    func settled(number: UInt64) -> DownloadLocation? {
        let stem = finalName.lastIndex(of: ".").map { finalName[...$0] } ?? ""
        let names = [finalName] + AudioFileEnding.all.map { "\(stem)\($0)" }
        return names.lazy.map { DownloadLocation(directory: directory, name: $0) }.first { place in
            var status = stat()
            return lstat(place.path, &status) == 0 && UInt64(status.st_ino) == number
        }
    }

    /// Whether any byte of it may be here or in the trash.
    var isOccupied: Bool {
        [self, replacement, inTrash, inTrash.replacement].contains { $0.presence != .absent }
    }

    private static func exists(_ path: String) -> Bool {
        var status = stat()
        return lstat(path, &status) == 0
    }
}

extension OpenFile {
    /// The first bytes of a file, enough to know its container.
    fileprivate static func beginning(of path: String) throws(SystemError) -> [UInt8] {
        let file = try OpenFile(path: path, flags: O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = try bytes.withUnsafeMutableBufferPointer { bytes throws(SystemError) in
            try file.read(at: 0, into: UnsafeMutableRawBufferPointer(bytes))
        }
        return Array(bytes.prefix(count))
    }
}
