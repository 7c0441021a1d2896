// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A type of audio file.
public enum AudioFileType: String, Sendable, Hashable, CaseIterable {
    /// MPEG audio of any layer; read only.
    case mp3
    /// RIFF WAVE, and RF64 beyond 4 GiB.
    case wav
    /// AIFF and AIFF-C.
    case aiff
    /// Core Audio Format.
    case caf
    case flac
    /// Vorbis in Ogg.
    case oggVorbis
    /// Opus in Ogg.
    case opus
    /// MPEG-4 and QuickTime, also the sound of a video; read only.
    case mp4
    /// AAC in ADTS; read only.
    case adts

    /// True if `AudioFileWriter` writes files of this type.
    public var isWritable: Bool {
        switch self {
        case .mp3, .mp4, .adts: false
        case .wav, .aiff, .caf, .flac, .oggVorbis, .opus: true
        }
    }

    /// Returns the type of file with this extension; reading depends on the content only.
    /// - Parameter pathExtension: The extension without its dot, in letters of either case.
    public init?(pathExtension: String) {
        switch pathExtension.lowercased() {
        case "mp3": self = .mp3
        case "wav", "wave", "rf64": self = .wav
        case "aif", "aiff", "aifc": self = .aiff
        case "caf": self = .caf
        case "flac": self = .flac
        case "ogg", "oga": self = .oggVorbis
        case "opus": self = .opus
        case "m4a", "m4b", "mp4", "m4v", "mov": self = .mp4
        case "aac": self = .adts
        default: return nil
        }
    }
}

/// The encoding of samples in a file.
public enum AudioFileEncoding: Sendable, Hashable {
    /// Integers of the given number of bits; FLAC compresses them without loss.
    case int8, int16, int24, int32
    case float32, float64
    /// A lossy encoding: MPEG audio, AAC, Vorbis, Opus.
    /// - Parameter quality: 0 (smallest) to 1 (best), for writing; `nil` for the encoder's default, and for every
    ///   file that was read.
    case lossy(quality: Double? = nil)
    /// Another encoding, with its name; read only.
    case other(String)
}

/// The format of a file on disk, like `AudioFileTypeID` with its data format, or `AVAudioFile.fileFormat`.
///
///     let format = AudioFileFormat(type: .flac, sampleRate: 48_000, channels: 2, encoding: .int24)
public struct AudioFileFormat: Sendable, Hashable {
    public let type: AudioFileType
    /// PCM frames per second.
    public let sampleRate: Int
    /// Samples per PCM frame.
    public let channels: Int
    public let encoding: AudioFileEncoding
    /// The loudspeakers of the channels; empty if the file has a different order.
    public let layout: ChannelLayout

    /// The supported sample rates. The limits exist because the rate in a header determines the memory for a second
    /// of audio, and because a buffer of some milliseconds must have frames.
    public static let sampleRates = AudioFormat.supportedRates
    /// The supported numbers of channels.
    public static let channelCounts = 1...256

    /// - Parameters:
    ///   - encoding: `nil` for the usual encoding of that type: 16 bits, or lossy.
    ///   - layout: `nil` for the standard layout of that number of channels.
    public init(
        type: AudioFileType, sampleRate: Int, channels: Int, encoding: AudioFileEncoding? = nil,
        layout: ChannelLayout? = nil
    ) {
        self.type = type
        self.sampleRate = sampleRate
        self.channels = channels
        self.encoding = encoding ?? Self.usualEncoding(type)
        self.layout = layout ?? type.layout(channels: channels) ?? .standard(channels: channels)
    }

    private static func usualEncoding(_ type: AudioFileType) -> AudioFileEncoding {
        switch type {
        case .wav, .aiff, .caf, .flac: .int16
        case .mp3, .oggVorbis, .opus, .mp4, .adts: .lossy()
        }
    }
}
