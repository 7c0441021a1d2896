// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

extension MPEGFileReader {
    /// The maximum length to read of a tag: pictures are rarely larger than some hundred kilobytes.
    private static let longestTag = 16 << 20

    /// The metadata of the ID3v2 tag at the beginning, completed by the ID3v1 tag at the end, as far as they have
    /// arrived.
    var metadata: AudioMetadata {
        let inFront = ID3v2Metadata.tagLength(header: source.bytes(at: 0, count: ID3v2Metadata.headerLength)).map {
            ID3v2Metadata.read(source.bytes(at: 0, count: min($0, Self.longestTag)))
        }
        let atEnd = source.downloadProgress.total.map { total in
            let length = ID3v1Metadata.length
            return ID3v1Metadata.read(source.bytes(at: max(0, total - Int64(length)), count: length))
        }
        return (inFront ?? AudioMetadata()).completed(by: atEnd ?? AudioMetadata())
    }
}
