// SPDX-License-Identifier: GPL-3.0-or-later
import FoundationEssentials
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
    /// The manifest as JSON. Numbers of 64 bits are strings, because JSON readers may round numbers.
    private struct StoredForm: Decodable {
        let format: Int64
        let url: String
        let finalURL: String?
        let file: String
        let stamp: String
        let total: Int64?
        let validator: String?
        let ranges: [[Int64]]
        let hashes: String
    }

    var text: String {
        let extents = ByteRangeSet(stored.extents.ranges.prefix(Self.mostRanges))
        var json = JSONWriter()
        json.object { json in
            json.field("file", String(fileNumber))
            json.field("finalURL", stored.finalURL)
            json.field("format", Self.format)
            json.field("hashes", hashes.text(for: extents))
            json.key("ranges")
            json.array { json in
                for range in extents.ranges {
                    json.array { json in
                        json.integer(range.lowerBound)
                        json.integer(range.upperBound)
                    }
                }
            }
            json.field("stamp", String(stamp))
            json.field("total", stored.entity.total)
            json.field("url", url)
            json.field("validator", stored.entity.validator?.headerText)
        }
        return json.text + "\n"
    }

    /// Returns `nil` unless `text` is a manifest whose parts agree with each other.
    init?(text: some Collection<UInt8>) {
        guard text.count <= Self.longestText, let form = Self.form(text), form.format == Self.format,
            let fileNumber = UInt64(form.file), let stamp = UInt64(form.stamp),
            let extents = Self.extents(form.ranges), let hashes = BlockHashes(text: form.hashes, for: extents)
        else { return nil }
        if let total = form.total, total <= 0 || total < extents.upperBound ?? 0 { return nil }
        let validator = form.validator.flatMap(EntityValidator.init(headerText:))
        self.init(
            url: form.url,
            stored: StoredContent(
                entity: Representation(validator: validator, total: form.total), finalURL: form.finalURL,
                extents: extents),
            fileNumber: fileNumber, stamp: stamp, hashes: hashes)
    }

    private static func form(_ text: some Collection<UInt8>) -> StoredForm? {
        do { return try JSONDecoder().decode(StoredForm.self, from: Data(text)) } catch { return nil }
    }

    private static func extents(_ ranges: [[Int64]]) -> ByteRangeSet? {
        guard ranges.count <= mostRanges else { return nil }
        var extents = ByteRangeSet()
        for bounds in ranges {
            guard bounds.count == 2, bounds[0] >= extents.upperBound ?? 0, bounds[1] > bounds[0],
                bounds[1] <= DownloadStateMachine.longest
            else { return nil }
            extents.insert(bounds[0]..<bounds[1])
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
