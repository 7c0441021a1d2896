// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Reads the 128 bytes that an ID3v1 tag is, at the very end of a file.
public enum ID3v1Metadata {
    public static let length = 128

    /// What they say; nothing where they are no tag.
    public static func read(_ tag: [UInt8]) -> AudioMetadata {
        guard tag.count == length, tag.starts(with: "TAG".utf8) else { return AudioMetadata() }
        return AudioMetadata(title: field(tag, at: 3), artist: field(tag, at: 33), album: field(tag, at: 63))
    }

    private static func field(_ tag: [UInt8], at place: Int) -> String? {
        ID3Text.string(ID3Text.split(tag[place..<place + 30], .latin1).text, .latin1)
    }
}
