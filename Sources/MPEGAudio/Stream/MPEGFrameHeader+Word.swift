// SPDX-License-Identifier: GPL-3.0-or-later

extension MPEGFrameHeader {
    /// The four header bytes as a big-endian number. Fields that this type does not store (private bit, copyright,
    /// emphasis, joint stereo mode) are 0.
    var word: UInt32 {
        let kilobits = (bitrate ?? 0) / 1000
        let rate = MPEGBitrates.kilobits(version, layer).firstIndex(of: kilobits) ?? 0
        return 0x7FF << 21 | version.bits << 19 | layer.bits << 17 | (hasCRC ? 0 : 1 << 16)
            | UInt32(rate) << 12 | version.index(ofSampleRate: sampleRate) << 10 | (isPadded ? 1 << 9 : 0)
            | channelMode.bits << 6
    }
}

extension MPEGFrameHeader.Version {
    fileprivate var bits: UInt32 {
        switch self {
        case .mpeg25: 0
        case .mpeg2: 2
        case .mpeg1: 3
        }
    }

    fileprivate func index(ofSampleRate rate: Int) -> UInt32 {
        let base = rate * (self == .mpeg1 ? 1 : self == .mpeg2 ? 2 : 4)
        return base == 44100 ? 0 : base == 48000 ? 1 : 2
    }
}

extension MPEGFrameHeader.Layer {
    fileprivate var bits: UInt32 {
        switch self {
        case .i: 3
        case .ii: 2
        case .iii: 1
        }
    }
}

extension MPEGFrameHeader.ChannelMode {
    fileprivate var bits: UInt32 {
        switch self {
        case .stereo: 0
        case .jointStereo: 1
        case .dual: 2
        case .mono: 3
        }
    }
}
