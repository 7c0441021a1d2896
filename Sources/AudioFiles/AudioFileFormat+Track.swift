// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media
import TrackReading

extension AudioFileFormat {
    /// Creates the format of a file that is read with the reader that plays it.
    /// - Parameters:
    ///   - codec: `nil` for MPEG audio.
    ///   - source: its bytes, of which the first ones distinguish AIFF from WAV.
    ///   - decoded: the format of its frames.
    init(codec: AudioCodec?, of kind: TrackFormat, in source: any ByteSource, _ decoded: AudioFormat) {
        let type: AudioFileType =
            switch (kind, codec) {
            case (.container(.mp4), _): .mp4
            case (.container(.adts), _): .adts
            case (.container(.wave), _): source.isAIFF ? .aiff : .wav
            case (_, .opus): .opus
            case (_, .vorbis): .oggVorbis
            case (_, .flac): .flac
            case (.container, _), (.mpeg, _): .mp3
            }
        self.init(
            type: type, sampleRate: decoded.sampleRate, channels: decoded.channels, encoding: codec?.encoding,
            layout: decoded.layout)
    }
}

extension ByteSource {
    /// True if the header of AIFF stands at the beginning or after ID3v2 tags.
    fileprivate var isAIFF: Bool { bytes(at: offsetAfterTags, count: 4).elementsEqual("FORM".utf8) }

    /// The offset after the ID3v2 tags at the beginning; 0 if there are none.
    var offsetAfterTags: Int64 {
        var start: Int64 = 0
        // Ten bytes are the header of a tag, and identify nothing else.
        while case .undecided(let end) = ContainerIdentification(bytes(at: start, count: 10), at: start), end > start {
            start = end
        }
        return start
    }
}

extension AudioCodec {
    fileprivate var encoding: AudioFileEncoding {
        switch self {
        case .flac(let info) where info.bitsPerSample <= 8: .int8
        case .flac(let info) where info.bitsPerSample <= 16: .int16
        case .flac(let info): info.bitsPerSample <= 24 ? .int24 : .int32
        case .pcm(let encoding): encoding.fileEncoding
        case .aac, .opus, .vorbis: .lossy()
        }
    }
}

extension PCMEncoding {
    fileprivate var fileEncoding: AudioFileEncoding {
        switch sample {
        case .unsigned8, .int8: .int8
        case .int16: .int16
        case .int24: .int24
        case .int32: .int32
        case .float32: .float32
        case .float64: .float64
        // The names of libsndfile, which reads complete files.
        case .aLaw: .other("A-Law")
        case .muLaw: .other("U-Law")
        }
    }
}
