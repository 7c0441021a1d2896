// SPDX-License-Identifier: GPL-3.0-or-later

/// A codec with the configuration that its decoder needs.
public enum AudioCodec: Sendable, Equatable {
    /// AudioSpecificConfig, ISO/IEC 14496-3 section 1.6.2.1.
    case aac(AACConfig)
    /// RFC 7845 section 5.1.
    case opus(OpusHead)
    /// The first and the last header packet of Vorbis I section 4.2. The one between them contains only comments.
    case vorbis(identification: [UInt8], setup: [UInt8])
    /// STREAMINFO, RFC 9639 section 8.2 (34 bytes).
    case flac(FLACStreamInfo)
    case pcm(PCMEncoding)
}
