// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A reader of title, artist, album and picture in an ID3v2 tag.
///
/// Source: ID3v2.4 structure §3.1, 3.2, 4, 6.1 and frames §4.2, 4.14; ID3v2.3 §3.1 to 3.3, 4.2, 4.15, 5; ID3v2.2
/// §3.1, 4.2, 4.15. Compressed and encrypted frames are skipped.
public struct ID3v2Metadata {
    /// The number of bytes that hold the length of a tag.
    public static let headerLength = ID3v2Tag.headerLength

    /// Returns the total length of the tag that begins with these 10 bytes; `nil` if they are not the header of a
    /// tag.
    public static func tagLength(header: [UInt8]) -> Int? {
        guard header.count >= headerLength, header.starts(with: "ID3".utf8) else { return nil }
        return ID3v2FrameWalker(header: Array(header.prefix(headerLength)), at: 0).map { Int($0.range.count) }
    }

    /// Returns the metadata in the tag.
    /// - Parameter tag: the available bytes from the header on; data cut off at the end is missing from the result.
    public static func read(_ tag: [UInt8]) -> AudioMetadata {
        ID3v2Tag(tag).map(metadata) ?? AudioMetadata()
    }

    private static func metadata(in tag: ID3v2Tag) -> AudioMetadata {
        var metadata = AudioMetadata()
        var covers = 0
        for frame in tag.frames {
            switch frame.name {
            case "TIT2", "TT2": metadata.title = metadata.title ?? ID3Text.first(of: frame.bytes)
            case "TPE1", "TP1": metadata.artist = metadata.artist ?? ID3Text.first(of: frame.bytes)
            case "TALB", "TAL": metadata.album = metadata.album ?? ID3Text.first(of: frame.bytes)
            case "APIC", "PIC":
                guard let picture = ID3Picture(frame.bytes, isShort: tag.version == 2), let artwork = picture.artwork
                else { continue }
                if metadata.artwork == nil || picture.isFrontCover && covers == 0 { metadata.artwork = artwork }
                covers += picture.isFrontCover ? 1 : 0
            default: continue
            }
        }
        return metadata
    }
}
