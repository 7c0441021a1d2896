// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A reader of the ID3v1 tag, the last 128 bytes of a file.
public enum ID3v1Metadata {
    /// The length of the tag in bytes.
    public static let length = 128

    /// Returns the metadata in the tag; empty if the bytes are not a tag.
    public static func read(_ tag: [UInt8]) -> AudioMetadata {
        guard tag.count == length, tag.starts(with: "TAG".utf8) else { return AudioMetadata() }
        return AudioMetadata(title: field(tag, at: 3), artist: field(tag, at: 33), album: field(tag, at: 63))
    }

    private static func field(_ tag: [UInt8], at place: Int) -> String? {
        ID3Text.string(ID3Text.split(tag[place..<place + 30], .latin1).text, .latin1)
    }
}
