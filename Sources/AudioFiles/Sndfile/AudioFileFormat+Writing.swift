// SPDX-License-Identifier: GPL-3.0-or-later
import CSndfile
import Media

/// Checking whether a format can be written.
extension AudioFileFormat {
    private static let opusRates = [8000, 12000, 16000, 24000, 48000]
    /// The rates for which libvorbis has settings.
    private static let vorbisRates = 1...200_000
    /// Sixteen bits times a factor of 10. Source: RFC 9639 §9.1.2.
    private static let flacRates = 1...655_350

    /// The reason why a file of this format cannot be written; `nil` if it can, as far as is known without creating
    /// one.
    public var refusal: String? { canBeWritten ? nil : reason }

    /// Returns the interleaved format of the stored samples: integers for integers, so that no bit is lost.
    /// - Throws: `unsupportedFormat` if a file of this type cannot have this format.
    func stored() throws(AudioFileError) -> AudioFormat {
        guard canBeWritten else { throw unwritable }
        // Vorbis and Opus define one set of loudspeakers for each number of channels.
        let places = type == .oggVorbis || type == .opus ? type.layout(channels: channels) : nil
        return AudioFormat(
            sampleRate: sampleRate, channels: channels, sampleType: encoding.storedType, layout: places ?? layout)
    }

    private var canBeWritten: Bool {
        guard Self.channelCounts.contains(channels), Self.sampleRates.contains(sampleRate), var info = sndfile,
            sf_format_check(&info) == SF_TRUE
        else { return false }
        if case .lossy(let quality?) = encoding, quality.isNaN { return false }
        return switch type {
        case .mp3, .mp4, .adts: false
        case .wav, .aiff, .caf: true
        case .flac: Self.flacRates.contains(sampleRate)
        case .oggVorbis: Self.vorbisRates.contains(sampleRate)
        case .opus: Self.opusRates.contains(sampleRate)
        }
    }

    var unwritable: AudioFileError { .unsupportedFormat(reason: reason) }

    private var reason: String {
        let known = AudioFileFormat(type: type, sampleRate: 48000, channels: 2, encoding: encoding)
        return switch type {
        case .mp3, .mp4, .adts: "writing \(type.name) is not supported"
        case _ where !known.canBeWritten: encoding.refusal(by: type.name)
        case .opus where !Self.opusRates.contains(sampleRate):
            "Opus supports 8000, 12000, 16000, 24000 and 48000 Hz, not \(sampleRate)"
        default: "\(type.name) does not support \(CountText.text(channels, "channel")) at \(sampleRate) Hz"
        }
    }
}

extension AudioFileType {
    /// The name for messages.
    fileprivate var name: String {
        switch self {
        case .mp3: "MP3"
        case .wav: "WAV"
        case .aiff: "AIFF"
        case .caf: "CAF"
        case .flac: "FLAC"
        case .oggVorbis: "Ogg Vorbis"
        case .opus: "Opus"
        case .mp4: "MP4"
        case .adts: "AAC"
        }
    }
}

extension AudioFileEncoding {
    /// Returns the reason why a file of this type cannot have this encoding.
    fileprivate func refusal(by type: String) -> String {
        switch self {
        case .lossy(let quality?) where quality.isNaN: "the quality is not a number"
        case .lossy: "\(type) is lossless and has no quality setting"
        case .other(let name): "writing \(name) is not supported"
        case .int8, .int16, .int24, .int32, .float32, .float64: "\(type) does not support \(self) samples"
        }
    }

    fileprivate var storedType: SampleType {
        switch self {
        case .int16: .int16
        // Rounded once, to the bits that are stored.
        case .int8, .int24, .int32: .int32
        case .float32, .lossy, .other: .float32
        case .float64: .float64
        }
    }
}
