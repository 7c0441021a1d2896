// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The loudspeakers of a decoder's channels, in the order in which the decoder returns them. `ChannelLayout` has an
/// order of its own; `sources` converts.
public struct SpeakerOrder: Sendable, Hashable {
    /// The number of channels.
    public let channels: Int
    /// The loudspeakers of the decoded channels; empty if a channel has none.
    private let speakers: [ChannelLayout]

    /// Creates the order of channels with loudspeakers. If a loudspeaker occurs twice, the channels have none.
    public init(_ speakers: [ChannelLayout]) {
        channels = speakers.count
        self.speakers = Set(speakers).count == speakers.count ? speakers : []
    }

    /// Creates the order of channels without loudspeakers.
    public init(channels: Int) {
        self.channels = channels
        speakers = []
    }

    /// The loudspeakers; empty if a channel has none.
    public var layout: ChannelLayout { ChannelLayout(speakers) }

    /// For each channel in the order of `layout`, the number of the decoded channel.
    public var sources: [Int] {
        guard !speakers.isEmpty else { return Array(0..<channels) }
        return speakers.indices.sorted { speakers[$0].rawValue < speakers[$1].rawValue }
    }

    /// True if the decoded channels are in the order of `layout`.
    public var isStandard: Bool { sources == Array(0..<channels) }

    /// Returns the format of PCM with these channels in the order of `layout`.
    public func format(sampleRate: Int) -> AudioFormat {
        AudioFormat(sampleRate: sampleRate, channels: channels, layout: layout)
    }
}

extension SpeakerOrder {
    /// Returns the order of Vorbis and Opus; channels above 8 have no loudspeakers.
    /// Sources: Vorbis I section 4.3.9, RFC 7845 section 5.1.1.2.
    public static func xiph(channels: Int) -> SpeakerOrder {
        switch channels {
        case 1: SpeakerOrder([.frontCenter])
        case 2: SpeakerOrder([.frontLeft, .frontRight])
        case 3: SpeakerOrder(front)
        case 4: SpeakerOrder([.frontLeft, .frontRight, .backLeft, .backRight])
        case 5: SpeakerOrder(front + [.backLeft, .backRight])
        case 6: SpeakerOrder(front + [.backLeft, .backRight, .lowFrequency])
        case 7: SpeakerOrder(front + [.sideLeft, .sideRight, .backCenter, .lowFrequency])
        case 8: SpeakerOrder(front + [.sideLeft, .sideRight, .backLeft, .backRight, .lowFrequency])
        default: SpeakerOrder(channels: channels)
        }
    }

    private static let front: [ChannelLayout] = [.frontLeft, .frontCenter, .frontRight]

    /// Returns the order of FLAC, which is that of `ChannelLayout`. Source: RFC 9639 section 9.1.3.
    public static func flac(channels: Int) -> SpeakerOrder {
        let front: [ChannelLayout] = [.frontLeft, .frontRight, .frontCenter]
        return switch channels {
        case 1: SpeakerOrder([.frontCenter])
        case 2: SpeakerOrder([.frontLeft, .frontRight])
        case 3: SpeakerOrder(front)
        case 4: SpeakerOrder([.frontLeft, .frontRight, .backLeft, .backRight])
        case 5: SpeakerOrder(front + [.backLeft, .backRight])
        case 6: SpeakerOrder(front + [.lowFrequency, .backLeft, .backRight])
        case 7: SpeakerOrder(front + [.lowFrequency, .backCenter, .sideLeft, .sideRight])
        case 8: SpeakerOrder(front + [.lowFrequency, .backLeft, .backRight, .sideLeft, .sideRight])
        default: SpeakerOrder(channels: channels)
        }
    }
}
