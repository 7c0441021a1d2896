// SPDX-License-Identifier: GPL-3.0-or-later

/// The loudspeakers of the channels, in the order of their bits: the speaker positions of WAVEFORMATEXTENSIBLE
/// (`dwChannelMask`). An empty set means channels without a speaker position.
public struct ChannelLayout: OptionSet, Sendable, Hashable, BitwiseCopyable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static var frontLeft: ChannelLayout { ChannelLayout(rawValue: 0x1) }
    public static var frontRight: ChannelLayout { ChannelLayout(rawValue: 0x2) }
    public static var frontCenter: ChannelLayout { ChannelLayout(rawValue: 0x4) }
    public static var lowFrequency: ChannelLayout { ChannelLayout(rawValue: 0x8) }
    public static var backLeft: ChannelLayout { ChannelLayout(rawValue: 0x10) }
    public static var backRight: ChannelLayout { ChannelLayout(rawValue: 0x20) }
    public static var backCenter: ChannelLayout { ChannelLayout(rawValue: 0x100) }
    public static var sideLeft: ChannelLayout { ChannelLayout(rawValue: 0x200) }
    public static var sideRight: ChannelLayout { ChannelLayout(rawValue: 0x400) }

    public static var mono: ChannelLayout { .frontCenter }
    public static var stereo: ChannelLayout { [.frontLeft, .frontRight] }
    public static var quadraphonic: ChannelLayout { [.frontLeft, .frontRight, .backLeft, .backRight] }
    public static var surround51: ChannelLayout {
        [.frontLeft, .frontRight, .frontCenter, .lowFrequency, .backLeft, .backRight]
    }
    public static var surround71: ChannelLayout { [.surround51, .sideLeft, .sideRight] }

    /// Returns the standard layout for a number of channels, or an empty layout if no standard exists.
    public static func standard(channels: Int) -> ChannelLayout {
        switch channels {
        case 1: .mono
        case 2: .stereo
        case 4: .quadraphonic
        case 6: .surround51
        case 8: .surround71
        default: []
        }
    }

    /// Returns the number of the channel for one loudspeaker, or `nil` if the layout lacks it.
    public func channel(for speaker: ChannelLayout) -> Int? {
        guard speaker.rawValue.nonzeroBitCount == 1, contains(speaker) else { return nil }
        return (rawValue & (speaker.rawValue - 1)).nonzeroBitCount
    }
}
