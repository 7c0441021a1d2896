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
                return readTags(kind, source).completed(by: readID3(source))
            case .found(.mpeg), .failed, .lost, .notYetAvailable: return readID3(source)
            }
        }
    }

    private static func readTags(_ kind: ContainerKind, _ source: any ByteSource) -> AudioMetadata {
        var metadata = AudioMetadata()
        forEachTag(kind, .tags, source) { event in
            if case .metadata(let found) = event { metadata = found.completed(by: metadata) }
        }
        return metadata
    }

    private static func readGain(_ kind: ContainerKind, _ source: any ByteSource) -> TrackGain? {
        var gain: TrackGain?
        forEachTag(kind, .gain, source) { event in
            if case .gain(let found) = event { gain = found }
        }
        return gain
    }

    /// Reads up to the first packet, or the end of a file that is read for its tags alone.
    private static func forEachTag(
        _ kind: ContainerKind, _ purpose: MP4Parser.Purpose, _ source: any ByteSource, _ body: (ContainerEvent) -> Void
    ) {
        var parser = kind.makeTagParser(purpose)
        while let event = parser.next(reading: source) {
            switch event {
            // Most programs write the tags of a wave file after its sound.
            case .track where kind == .wave: parser.synchronize(from: .max)
            case .packet, .failed: return
            default: body(event)
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

    /// Reads the gain of a file, as far as its tags have arrived: the last one in the index of an MP4 file or in the
    /// chunks of a wave file, which may follow the sound, otherwise the one in an ID3v2 tag at the beginning.
    /// - Parameter found: the gain that the reader of the sound has found.
    static func gain(_ kind: ContainerKind, _ source: any ByteSource, found: TrackGain?) -> TrackGain? {
        let own = (kind == .mp4 || kind == .wave) ? readGain(kind, source) : nil
        return own ?? found ?? gainInID3(source)
    }
}

extension ContainerTrackReader {
    package var statedGain: TrackGain? { TrackMetadata.gain(kind, source, found: foundGain) }
}

extension ContainerKind {
    /// Returns a parser that reads the tags. That of MP4 skips the packets.
    fileprivate func makeTagParser(_ purpose: MP4Parser.Purpose) -> any ContainerParser {
        self == .mp4 ? MP4Parser(purpose) : makeParser()
    }
}
