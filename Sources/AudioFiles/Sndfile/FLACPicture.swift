// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media

/// The pictures before the audio in a FLAC file, which libsndfile does not expose. Source: RFC 9639 §8.1, 8.8.
enum FLACPicture {
    private static let longest = 16 << 20

    /// Returns the front cover, or else the first picture; `nil` if there is none, or it is longer than 16 MiB.
    static func front(of source: any ByteSource) -> AudioMetadata.Artwork? {
        var first: AudioMetadata.Artwork?
        let beginning = source.bytes(at: 0, count: ID3v2Metadata.headerLength)
        // After the ID3v2 tag that some programs write before the stream, and the stream marker.
        var offset = Int64(ID3v2Metadata.tagLength(header: beginning) ?? 0) + 4
        while true {
            let header = source.bytes(at: offset, count: 4)
            guard header.count == 4 else { return first }
            let length = Int(number(header[1...]))
            if header[0] & 0x7F == 6, length <= longest,
                let (picture, isFront) = picture(source.bytes(at: offset + 4, count: length))
            {
                if isFront { return picture }
                first = first ?? picture
            }
            guard header[0] & 0x80 == 0 else { return first }
            offset += 4 + Int64(length)
        }
    }

    /// Parses a picture block: its type, the length and text of its media type and of its description, four numbers,
    /// then the length and bytes of the picture.
    private static func picture(_ block: [UInt8]) -> (AudioMetadata.Artwork, isFront: Bool)? {
        var rest = block[...]
        guard let use = read(4, &rest).map(number), let kind = readCounted(&rest), readCounted(&rest) != nil,
            read(16, &rest) != nil, let bytes = readCounted(&rest)
        else { return nil }
        let claimed = String(decoding: kind, as: UTF8.self)
        // A link to a picture is not supported.
        guard claimed != "-->", let artwork = AudioMetadata.Artwork(bytes: Array(bytes), claimed: claimed)
        else { return nil }
        return (artwork, use == 3)
    }

    private static func readCounted(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        read(4, &rest).flatMap { read(Int(number($0)), &rest) }
    }

    private static func read(_ count: Int, _ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64 { bytes.reduce(0) { $0 << 8 | Int64($1) } }
}
