// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import MPEGAudio
package import Media

/// The tags and the cover of a file.
package enum TrackMetadata {
    /// The maximum length to read of a tag: pictures are rarely larger than some hundred kilobytes.
    private static let longestTag = 16 << 20

    /// Reads the tags that have arrived: those of containers, ID3v2 at the beginning, and ID3v1 at the end.
    package static func read(_ source: any ByteSource) -> AudioMetadata {
        var search = TrackFormatSearch()
        while true {
            switch search.step(source) {
            case .progressed: continue
            case .found(.container(let kind)):
                return read(kind.makeTagParser(), source).completed(by: readID3(source))
            case .found(.mpeg), .failed, .lost, .notYetAvailable: return readID3(source)
            }
        }
    }

    /// Reads up to the first packet, or the end of a file that is read for its tags alone.
    private static func read(_ parser: some ContainerParser, _ source: any ByteSource) -> AudioMetadata {
        var (parser, found) = (parser, AudioMetadata())
        while true {
            switch parser.next() {
            case .metadata(let metadata): found = metadata.completed(by: found)
            case .track, .chapters, .gain, .garbage: continue
            case .packet, .failed: return found
            case nil:
                guard !parser.isDone, parser.read(source) else { return found }
            }
        }
    }

    private static func readID3(_ source: any ByteSource) -> AudioMetadata {
        let inFront = ID3v2Metadata.tagLength(header: source.bytes(at: 0, count: ID3v2Metadata.headerLength)).map {
            ID3v2Metadata.read(source.bytes(at: 0, count: min($0, longestTag)))
        }
        let atEnd = source.downloadProgress.total.map { total in
            let length = ID3v1Metadata.length
            return ID3v1Metadata.read(source.bytes(at: max(0, total - Int64(length)), count: length))
        }
        return (inFront ?? AudioMetadata()).completed(by: atEnd ?? AudioMetadata())
    }

    /// Reads the gain in an ID3v2 tag at the beginning, as far as the tag has arrived.
    static func gainInID3(_ source: any ByteSource) -> TrackGain? {
        let length = ID3v2Metadata.tagLength(header: source.bytes(at: 0, count: ID3v2Metadata.headerLength))
        let tag = length.map { source.bytes(at: 0, count: min($0, ID3v2Gain.longestPrefix)) }
        return tag.flatMap(ID3v2Gain.read)
    }

    /// Reads the gain in the tags of an MP4 file, as far as its index has arrived.
    static func gainInMovie(_ source: any ByteSource) -> TrackGain? {
        var parser = MP4Parser(.tags)
        while true {
            switch parser.next() {
            case .gain(let gain): return gain
            case .track, .packet, .metadata, .chapters, .garbage: continue
            case .failed: return nil
            case nil:
                guard !parser.isDone, parser.read(source) else { return nil }
            }
        }
    }
}

extension ContainerTrackReader {
    /// The gain in the tags. The reader of the sound of an MP4 file may have read only a part of the index; that of the
    /// other containers skips an ID3v2 tag at the beginning.
    package var statedGain: TrackGain? {
        foundGain ?? (kind == .mp4 ? TrackMetadata.gainInMovie(source) : TrackMetadata.gainInID3(source))
    }
}

extension ContainerKind {
    /// A parser that reads the tags. That of MP4 skips the packets.
    fileprivate func makeTagParser() -> any ContainerParser {
        self == .mp4 ? MP4Parser(.tags) : makeParser()
    }
}
