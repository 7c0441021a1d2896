// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A reader of title, artist, album and picture in an ID3v2 tag.
///
/// Source: ID3v2.4 structure §3.1, 3.2, 4, 6.1 and frames §4.2, 4.14; ID3v2.3 §3.1 to 3.3, 4.2, 4.15, 5; ID3v2.2
/// §3.1, 4.2, 4.15. Compressed and encrypted frames are skipped.
public struct ID3v2Metadata {
    /// The number of bytes that hold the length of a tag.
    public static let headerLength = 10

    private let version: UInt8
    /// The frames, with unsynchronization of the whole tag removed.
    private let body: ArraySlice<UInt8>

    /// Returns the total length of the tag that begins with these 10 bytes; `nil` if they are not the header of a
    /// tag.
    public static func tagLength(header: [UInt8]) -> Int? {
        guard header.count >= headerLength, header.starts(with: "ID3".utf8) else { return nil }
        return ID3v2FrameWalker(header: Array(header.prefix(headerLength)), at: 0).map { Int($0.range.count) }
    }

    /// Returns the metadata in the tag.
    /// - Parameter tag: the available bytes from the header on; data cut off at the end is missing from the result.
    public static func read(_ tag: [UInt8]) -> AudioMetadata {
        ID3v2Metadata(tag)?.metadata ?? AudioMetadata()
    }

    private init?(_ tag: [UInt8]) {
        guard let length = Self.tagLength(header: tag), (2...4).contains(tag[3]) else { return nil }
        version = tag[3]
        let flags = tag[5]
        // In 2.2 this bit marks the whole tag as compressed, in a format that was never defined.
        guard version > 2 || flags & 0x40 == 0 else { return nil }
        let stuffed = tag[Self.headerLength..<min(length, tag.count)]
        // In 2.4 each frame has its own unsynchronization flag.
        let frames = flags & 0x80 != 0 && version < 4 ? Self.resynchronized(stuffed)[...] : stuffed
        guard version > 2, flags & 0x40 != 0 else {
            body = frames
            return
        }
        var fields = TagFields(frames)
        guard let extended = version == 4 ? fields.read(4).flatMap(Self.synchsafe) : fields.number(4).map({ $0 + 4 })
        else { return nil }
        body = frames.dropFirst(max(4, extended))
    }

    private var metadata: AudioMetadata {
        var metadata = AudioMetadata()
        var covers = 0
        for frame in ID3v2Frames(version: version, rest: body) {
            switch frame.name {
            case "TIT2", "TT2": metadata.title = metadata.title ?? ID3Text.first(of: frame.bytes)
            case "TPE1", "TP1": metadata.artist = metadata.artist ?? ID3Text.first(of: frame.bytes)
            case "TALB", "TAL": metadata.album = metadata.album ?? ID3Text.first(of: frame.bytes)
            case "APIC", "PIC":
                guard let picture = ID3Picture(frame.bytes, isShort: version == 2) else { continue }
                if metadata.artwork == nil || picture.isFrontCover && covers == 0 { metadata.artwork = picture.artwork }
                covers += picture.isFrontCover ? 1 : 0
            default: continue
            }
        }
        return metadata
    }

    /// Removes each zero after a byte 0xFF.
    static func resynchronized(_ bytes: ArraySlice<UInt8>) -> [UInt8] {
        var clean: [UInt8] = []
        clean.reserveCapacity(bytes.count)
        var isStuffed = false
        for byte in bytes {
            if !(isStuffed && byte == 0) { clean.append(byte) }
            isStuffed = byte == 0xFF
        }
        return clean
    }

    /// Returns a number of seven bits per byte; `nil` if an eighth bit is set.
    static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.allSatisfy { $0 < 0x80 } ? bytes.reduce(0) { $0 << 7 | Int($1) } : nil
    }
}
