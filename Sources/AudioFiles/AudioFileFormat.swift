// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A kind of file of sound.
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

    /// What a file with this ending is taken for when it is written; reading looks at the content alone.
    /// - Parameter pathExtension: without its dot, in letters of either case.
    public init?(pathExtension: String) {
        switch pathExtension.lowercased() {
        case "mp3": self = .mp3
        case "wav", "wave", "rf64": self = .wav
        case "aif", "aiff", "aifc": self = .aiff
        case "caf": self = .caf
        case "flac": self = .flac
        case "ogg", "oga": self = .oggVorbis
        case "opus": self = .opus
        default: return nil
        }
    }
}

/// How a file stores its samples.
public enum AudioFileEncoding: Sendable, Hashable {
    /// Whole numbers of so many bits, in FLAC packed without loss.
    case int8, int16, int24, int32
    case float32, float64
    /// What is heard and no more: MPEG audio, Vorbis, Opus.
    /// - Parameter quality: 0 (smallest) to 1 (best), for writing; `nil` is the encoder's own choice, and all that can
    ///   be said of a file that is read.
    case lossy(quality: Double? = nil)
    /// Another one, which can only be read: its name.
    case other(String)
}

/// What a file on disk is: what `AudioFileTypeID` with its data format, or `AVAudioFile.fileFormat`, is elsewhere.
///
///     let format = AudioFileFormat(type: .flac, sampleRate: 48_000, channels: 2, encoding: .int24)
public struct AudioFileFormat: Sendable, Hashable {
    public let type: AudioFileType
    /// PCM frames per second.
    public let sampleRate: Int
    /// Samples per PCM frame.
    public let channels: Int
    public let encoding: AudioFileEncoding
    /// Which loudspeakers the channels are for; without a place where the file has an order of its own.
    public let layout: ChannelLayout

    /// The rates that are read and written. What a header claims decides how much memory is taken for a second of it.
    public static let sampleRates = 1...768_000
    /// The numbers of channels that are.
    public static let channelCounts = 1...256

    /// - Parameters:
    ///   - encoding: `nil` is what files of that kind mostly have: 16 bits, or what is heard.
    ///   - layout: `nil` is what that many channels are as a rule.
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
        case .mp3, .oggVorbis, .opus: .lossy()
        }
    }
}
