// SPDX-License-Identifier: GPL-3.0-or-later

/// The four header bytes of an MPEG audio frame.
///
/// Source: ISO/IEC 11172-3 §2.4.2.3 (MPEG-1), 13818-3 §2.4.2.3 (MPEG-2, lower sampling frequencies); MPEG-2.5 is the
/// common extension in which the last bit of the sync word is 0.
public struct MPEGFrameHeader: Sendable, Equatable {
    public enum Version: Sendable, Equatable, CaseIterable { case mpeg1, mpeg2, mpeg25 }
    public enum Layer: Sendable, Equatable, CaseIterable { case i, ii, iii }
    public enum ChannelMode: Sendable, Equatable, CaseIterable { case stereo, jointStereo, dual, mono }

    public let version: Version
    public let layer: Layer
    public let channelMode: ChannelMode
    /// PCM frames per second.
    public let sampleRate: Int
    /// Bits per second; `nil` for free format, whose header does not contain the bit rate.
    public let bitrate: Int?
    /// True if the MPEG frame is one slot longer than its bit rate requires.
    public let isPadded: Bool
    /// True if a 16-bit check word follows the header.
    public let hasCRC: Bool

    /// Parses a header.
    /// - Parameter word: the four bytes as a big-endian number.
    /// - Returns: `nil` without a sync word, and for a reserved version, layer, bit rate, sample rate or emphasis.
    public init?(_ word: UInt32) {
        guard word >> 21 == 0x7FF, word & 3 != 2,
            let version = Version(bits: word >> 19 & 3), let layer = Layer(bits: word >> 17 & 3),
            let sampleRate = version.sampleRate(index: Int(word >> 10 & 3))
        else { return nil }
        let rates = MPEGBitrates.kilobits(version, layer)
        let index = Int(word >> 12 & 15)
        guard index < rates.count else { return nil }
        self.version = version
        self.layer = layer
        self.sampleRate = sampleRate
        channelMode = ChannelMode(bits: word >> 6 & 3)
        bitrate = index == 0 ? nil : rates[index] * 1000
        isPadded = word >> 9 & 1 == 1
        hasCRC = word >> 16 & 1 == 0
    }

    public var channels: Int { channelMode == .mono ? 1 : 2 }

    /// PCM frames in one MPEG frame.
    public var samplesPerFrame: Int {
        switch layer {
        case .i: 384
        case .ii: 1152
        case .iii: version == .mpeg1 ? 1152 : 576
        }
    }

    /// Bytes in a slot, the unit of padding: 4 in Layer I, else 1.
    var slotLength: Int { layer == .i ? 4 : 1 }

    /// The length of the padding slot of this frame in bytes.
    package var paddingLength: Int { isPadded ? slotLength : 0 }

    /// The length of the MPEG frame in bytes, including the header; `nil` for free format.
    public var length: Int? {
        bitrate.map { samplesPerFrame / 8 / slotLength * $0 / sampleRate * slotLength + paddingLength }
    }

    /// The length of the Layer III side information in bytes; 0 in the other layers.
    public var sideInfoLength: Int {
        guard layer == .iii else { return 0 }
        return switch (version, channels) {
        case (.mpeg1, 1): 17
        case (.mpeg1, _): 32
        case (_, 1): 9
        default: 17
        }
    }

    /// Returns true if both headers may belong to one stream: same version, layer, sample rate, and both mono or both
    /// not.
    public func matches(_ other: MPEGFrameHeader) -> Bool {
        version == other.version && layer == other.layer && sampleRate == other.sampleRate
            && channels == other.channels
    }
}

extension MPEGFrameHeader.Version {
    fileprivate init?(bits: UInt32) {
        switch bits {
        case 0: self = .mpeg25
        case 2: self = .mpeg2
        case 3: self = .mpeg1
        default: return nil
        }
    }

    fileprivate func sampleRate(index: Int) -> Int? {
        let rates = [44100, 48000, 32000]
        guard index < rates.count else { return nil }
        return switch self {
        case .mpeg1: rates[index]
        case .mpeg2: rates[index] / 2
        case .mpeg25: rates[index] / 4
        }
    }
}

extension MPEGFrameHeader.Layer {
    fileprivate init?(bits: UInt32) {
        switch bits {
        case 1: self = .iii
        case 2: self = .ii
        case 3: self = .i
        default: return nil
        }
    }
}

extension MPEGFrameHeader.ChannelMode {
    fileprivate init(bits: UInt32) {
        switch bits {
        case 0: self = .stereo
        case 1: self = .jointStereo
        case 2: self = .dual
        default: self = .mono
        }
    }
}

/// The bit rates of MPEG audio headers in kbit/s, by their 4-bit index; index 0 is free format, 15 is forbidden.
///
/// Source: ISO/IEC 11172-3 §2.4.2.3 and 13818-3 §2.4.2.3, tables of `bitrate_index`.
enum MPEGBitrates {
    static func kilobits(_ version: MPEGFrameHeader.Version, _ layer: MPEGFrameHeader.Layer) -> [Int] {
        switch (version, layer) {
        case (.mpeg1, .i): mpeg1Layer1
        case (.mpeg1, .ii): mpeg1Layer2
        case (.mpeg1, .iii): mpeg1Layer3
        case (_, .i): lowLayer1
        case (_, .ii), (_, .iii): lowLayers2And3
        }
    }

    private static let mpeg1Layer1 = [0, 32, 64, 96, 128, 160, 192, 224, 256, 288, 320, 352, 384, 416, 448]
    private static let mpeg1Layer2 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
    private static let mpeg1Layer3 = [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    private static let lowLayer1 = [0, 32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
    private static let lowLayers2And3 = [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
}

/// The location of Layer III main data: after header, check word and side information, and in the unused space of the
/// preceding packets, the bit reservoir.
extension MPEGFrameHeader {
    /// The number of bytes before the side information.
    public var sideInfoOffset: Int { hasCRC ? 6 : 4 }

    /// The number of bytes before the packet's own part of the bit reservoir.
    public var mainDataOffset: Int { sideInfoOffset + sideInfoLength }

    /// The maximum number of bytes by which main data may begin before the packet: `main_data_begin` has 9 bits in
    /// MPEG-1, 8 in MPEG-2 and 2.5.
    ///
    /// Source: ISO/IEC 11172-3 §2.4.1.7, 13818-3 §2.4.1.7.
    public var reservoirLimit: Int {
        guard layer == .iii else { return 0 }
        return version == .mpeg1 ? 511 : 255
    }

    /// Returns the number of bytes that a packet adds to the bit reservoir. Counts as libmpg123 1.31 does, which
    /// subtracts the check word twice.
    /// - Parameter length: the packet's length, including the header.
    public func reservoirGain(ofPacket length: Int) -> Int {
        max(0, length - mainDataOffset - (hasCRC ? 2 : 0))
    }
}
