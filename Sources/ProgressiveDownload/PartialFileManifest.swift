// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import HTTPTransfer
import Media

/// What stands beside a partial file: of which version its bytes are, and which are there.
///
/// It is trusted no further than it can be checked: it must be whole, of this format, and the bytes that it names must
/// have the hashes that it gives. The address may change with each refresh of a feed: it proves nothing.
struct PartialFileManifest: Sendable, Equatable {
    let url: String
    let holding: Holding
    /// The inode: a journal is believed for the very file it was written for.
    let fileNumber: UInt64
    /// Drawn anew for each version that begins, so that a journal never speaks of another one.
    let stamp: UInt64
    /// What the bytes are known by again.
    let hashes: BlockHashes

    private static let format: Int64 = 2
    /// The hashes of the longest file take half of it.
    private static let longestText = 1 << 20
    private static let mostRanges = 1000

    init(url: String, holding: Holding, fileNumber: UInt64, stamp: UInt64, hashes: BlockHashes = BlockHashes()) {
        self.url = url
        self.holding = holding
        self.fileNumber = fileNumber
        self.stamp = stamp
        self.hashes = hashes
    }

    /// The same version in another file, in which these pieces are not what they were.
    func copy(fileNumber: UInt64, without damaged: [ByteRange]) -> PartialFileManifest {
        var (holding, hashes) = (holding, hashes)
        for piece in damaged { holding.extents.subtract(piece) }
        hashes.forget(damaged)
        return PartialFileManifest(
            url: url, holding: holding, fileNumber: fileNumber, stamp: stamp, hashes: hashes)
    }
}

// MARK: Text
extension PartialFileManifest {
    var text: String {
        let extents = ByteRangeSet(holding.extents.ranges.prefix(Self.mostRanges))
        let ranges = extents.ranges.map { JSONValue.array([.integer($0.lowerBound), .integer($0.upperBound)]) }
        return JSONValue.object([
            "file": .string(String(fileNumber)),
            "finalURL": holding.finalURL.map(JSONValue.string) ?? .null,
            "format": .integer(Self.format),
            "hashes": .string(hashes.text(for: extents)),
            "ranges": .array(ranges),
            "stamp": .string(String(stamp)),
            "total": holding.entity.total.map(JSONValue.integer) ?? .null,
            "url": .string(url),
            "validator": holding.entity.validator.map { .string($0.headerText) } ?? .null,
        ]).text + "\n"
    }

    /// `nil` unless `text` is a manifest whose parts agree with each other.
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
            holding: Holding(
                entity: KnownEntity(validator: validator, total: total), finalURL: json["finalURL"]?.string,
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
    /// Replaces the manifest at `path` as a whole: a reader sees the old one or this.
    /// - Parameter isDurable: whether it must survive a loss of power once this returns.
    func write(to path: String, isDurable: Bool, calls: DiskCalls) throws(SystemError) {
        try OpenFile.replace(path, with: Array(text.utf8), isDurable: isDurable, calls: calls)
    }

    /// Reads what stands at `path`; `nil` where that is no manifest or none is there.
    static func load(from path: String) throws(SystemError) -> PartialFileManifest? {
        try OpenFile.contents(of: path, atMost: longestText).flatMap(PartialFileManifest.init(text:))
    }
}
