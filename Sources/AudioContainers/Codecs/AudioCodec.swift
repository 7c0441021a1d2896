// SPDX-License-Identifier: GPL-3.0-or-later

/// A codec with the configuration that its decoder needs.
public enum AudioCodec: Sendable, Equatable {
    /// AudioSpecificConfig, ISO/IEC 14496-3 section 1.6.2.1.
    case aac(AACConfig)
    /// RFC 7845 section 5.1.
    case opus(OpusHead)
    /// The three header packets of Vorbis I section 4.2.
    case vorbis(identification: [UInt8], comment: [UInt8], setup: [UInt8])
    /// STREAMINFO, RFC 9639 section 8.2 (34 bytes).
    case flac(FLACStreamInfo)
    case pcm(PCMEncoding)
}
