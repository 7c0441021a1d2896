// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import HTTPTransfer
import Media

/// The file beside a partial file that records its version and its stored bytes.
///
/// A manifest is trusted only as far as it can be verified: it must be complete and of this format, and the bytes
/// that it names must match its hashes. The address proves nothing because it may change with each refresh of a feed.
struct PartialFileManifest: Sendable, Equatable {
    let url: String
    let stored: StoredContent
    /// The inode number: a journal is valid only for the file it was written for.
    let fileNumber: UInt64
    /// A random number for each new version, so that a journal never describes another one.
    let stamp: UInt64
    /// The hashes of the stored bytes.
    let hashes: BlockHashes

    private static let format: Int64 = 2
    /// Twice the size that the hashes of the longest file take.
    private static let longestText = 1 << 20
    private static let mostRanges = 1000

    init(url: String, stored: StoredContent, fileNumber: UInt64, stamp: UInt64, hashes: BlockHashes = BlockHashes()) {
        self.url = url
        self.stored = stored
        self.fileNumber = fileNumber
        self.stamp = stamp
        self.hashes = hashes
    }

    /// Returns a manifest of the same version in another file, without these damaged pieces.
    func copy(fileNumber: UInt64, without damaged: [ByteRange]) -> PartialFileManifest {
        var (stored, hashes) = (stored, hashes)
        for piece in damaged { stored.extents.subtract(piece) }
        hashes.forget(damaged)
        return PartialFileManifest(
            url: url, stored: stored, fileNumber: fileNumber, stamp: stamp, hashes: hashes)
    }
}

// MARK: Text
extension PartialFileManifest {
    var text: String {
        let extents = ByteRangeSet(stored.extents.ranges.prefix(Self.mostRanges))
        let ranges = extents.ranges.map { JSONValue.array([.integer($0.lowerBound), .integer($0.upperBound)]) }
        return JSONValue.object([
            "file": .string(String(fileNumber)),
            "finalURL": stored.finalURL.map(JSONValue.string) ?? .null,
            "format": .integer(Self.format),
            "hashes": .string(hashes.text(for: extents)),
            "ranges": .array(ranges),
            "stamp": .string(String(stamp)),
            "total": stored.entity.total.map(JSONValue.integer) ?? .null,
            "url": .string(url),
            "validator": stored.entity.validator.map { .string($0.headerText) } ?? .null,
        ]).text + "\n"
    }

    /// Returns `nil` unless `text` is a manifest whose parts agree with each other.
    init?(text: some Collection<UInt8>) {
        guard text.count <= Self.longestText, let json = JSONValue(parsing: text),
            json["format"]?.integer == Self.format, let url = json["url"]?.string,
            let fileNumber = json["file"]?.string.flatMap({ UInt64($0) }),
            let stamp = json["stamp"]?.string.flatMap({ UInt64($0) }),
            let extents = json["ranges"]?.array.flatMap(Self.extents),
            let hashes = json["hashes"]?.string.flatMap({ BlockHashes(text: $0, for: extents) })
        else { return nil }
        let total = json["total"]?.integer
        if let total, total <= 0 || total < extents.upperBound ?? 0 { return nil }
        let validator = json["validator"]?.string.flatMap(EntityValidator.init(headerText:))
        self.init(
            url: url,
            stored: StoredContent(
                entity: Representation(validator: validator, total: total), finalURL: json["finalURL"]?.string,
                extents: extents),
            fileNumber: fileNumber, stamp: stamp, hashes: hashes)
    }

    private static func extents(_ values: [JSONValue]) -> ByteRangeSet? {
        guard values.count <= mostRanges else { return nil }
        var extents = ByteRangeSet()
        for value in values {
            guard let bounds = value.array, bounds.count == 2, let first = bounds[0].integer,
                let end = bounds[1].integer, first >= extents.upperBound ?? 0, end > first,
                end <= DownloadStateMachine.longest
            else { return nil }
            extents.insert(first..<end)
        }
        return extents
    }
}

// MARK: Disk
extension PartialFileManifest {
    /// Replaces the manifest at `path` atomically: a reader sees either the old one or this one.
    /// - Parameter isDurable: True if it must survive a power failure once this returns.
    func write(to path: String, isDurable: Bool, calls: DiskCalls) throws(SystemError) {
        try OpenFile.replace(path, with: Array(text.utf8), isDurable: isDurable, calls: calls)
    }

    /// Returns the manifest at `path`; `nil` if there is none or the file is not a manifest.
    static func load(from path: String) throws(SystemError) -> PartialFileManifest? {
        try OpenFile.contents(of: path, atMost: longestText).flatMap(PartialFileManifest.init(text:))
    }
}
