// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// ID3v2 tags, which some programs write before a FLAC or Ogg stream or into a chunk of a wave file.
enum ID3Tag {
    static let headerLength = ID3v2Metadata.headerLength

    /// Returns the length in bytes of the tag that begins at `offset`.
    static func length(in window: ByteWindow, at offset: Int64) -> Lookup<Int64> {
        window.name("ID3", at: offset).flatMap { _ in window.block(headerLength, at: offset) }
            .compactMap { header in ID3v2Metadata.tagLength(header: Array(header)).map { Int64($0) } }
    }

    /// Returns the title, artist, album and picture in a tag.
    static func metadata(of tag: [UInt8]) -> AudioMetadata { ID3v2Metadata.read(tag) }

    /// Returns the gain of the track in a tag.
    static func gain(of tag: [UInt8]) -> TrackGain? { ID3v2Gain.read(tag) }
}
