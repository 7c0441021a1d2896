// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The frames of an ID3v2 tag. Source: ID3v2.4 structure §3.1, 3.2, 6.1; ID3v2.3 §3.1, 3.2, 5; ID3v2.2 §3.1.
struct ID3v2Tag {
    static let headerLength = 10

    let version: UInt8
    /// The frames with unsynchronization of the whole tag removed. Its indices are those of the tag, unless `stuffed`
    /// exists: then they count from the first byte of that.
    private let body: ArraySlice<UInt8>
    /// The bytes after the header as the file has them, if the whole tag is unsynchronized.
    let stuffed: ArraySlice<UInt8>?

    var frames: ID3v2Frames { ID3v2Frames(version: version, rest: body) }

    /// - Parameter tag: the available bytes from the header on.
    /// - Returns: `nil` if they are not the beginning of a tag of a known version.
    init?(_ tag: [UInt8]) {
        guard let length = ID3v2Metadata.tagLength(header: tag), (2...4).contains(tag[3]) else { return nil }
        version = tag[3]
        let flags = tag[5]
        // In 2.2 this bit marks the whole tag as compressed, in a format that was never defined.
        guard version > 2 || flags & 0x40 == 0 else { return nil }
        let bytes = tag[Self.headerLength..<min(length, tag.count)]
        // In 2.4 each frame has its own unsynchronization flag.
        stuffed = flags & 0x80 != 0 && version < 4 ? bytes : nil
        let frames = stuffed.map { StoredPicture.resynchronized($0)[...] } ?? bytes
        guard version > 2, flags & 0x40 != 0 else {
            body = frames
            return
        }
        var fields = TagFields(frames)
        guard let extended = version == 4 ? fields.read(4).flatMap(Self.synchsafe) : fields.number(4).map({ $0 + 4 })
        else { return nil }
        body = frames.dropFirst(max(4, extended))
    }

    /// Returns a number of seven bits per byte; `nil` if an eighth bit is set.
    static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int? {
        bytes.allSatisfy { $0 < 0x80 } ? bytes.reduce(0) { $0 << 7 | Int($1) } : nil
    }
}
