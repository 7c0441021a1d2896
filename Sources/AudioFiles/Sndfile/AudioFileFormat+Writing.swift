// SPDX-License-Identifier: GPL-3.0-or-later
import CSndfile
import Media

/// Which files can be written.
extension AudioFileFormat {
    private static let opusRates = [8000, 12000, 16000, 24000, 48000]
    /// What libvorbis has settings for.
    private static let vorbisRates = 1...200_000
    /// Sixteen bits and a factor of 10. Source: RFC 9639 §9.1.2.
    private static let flacRates = 1...655_350

    /// The samples that make the file, interleaved: integers for integers, so that none loses a bit.
    /// - Throws: `unsupportedFormat` for what no file of that kind can hold.
    func stored() throws(AudioFileError) -> AudioFormat {
        guard canBeWritten else { throw unwritable }
        return AudioFormat(
            sampleRate: sampleRate, channels: channels, sampleType: encoding.storedType, layout: layout)
    }

    private var canBeWritten: Bool {
        guard Self.channelCounts.contains(channels), Self.sampleRates.contains(sampleRate), var info = sndfile,
            sf_format_check(&info) == SF_TRUE
        else { return false }
        if case .lossy(let quality?) = encoding, quality.isNaN { return false }
        return switch type {
        case .mp3: false
        case .wav, .aiff, .caf: true
        case .flac: Self.flacRates.contains(sampleRate)
        case .oggVorbis: Self.vorbisRates.contains(sampleRate)
        case .opus: Self.opusRates.contains(sampleRate)
        }
    }

    /// Says what is wrong.
    var unwritable: AudioFileError {
        let reason =
            switch type {
            case .mp3: "MP3 can be read only"
            case .opus where !Self.opusRates.contains(sampleRate):
                "Opus has 8000, 12000, 16000, 24000 or 48000 Hz, not \(sampleRate)"
            default: "no \(type.rawValue) file holds \(channels) channels of \(encoding) at \(sampleRate) Hz"
            }
        return .unsupportedFormat(reason: reason)
    }
}

extension AudioFileEncoding {
    fileprivate var storedType: SampleType {
        switch self {
        case .int8, .int16: .int16
        case .int24, .int32: .int32
        case .float32, .lossy, .other: .float32
        case .float64: .float64
        }
    }
}
