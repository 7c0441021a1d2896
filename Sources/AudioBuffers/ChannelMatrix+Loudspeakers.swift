// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

extension ChannelMatrix {
    /// Returns the default matrix between two formats.
    ///
    /// If every channel of both formats has a loudspeaker, channels go to their loudspeakers. A missing loudspeaker
    /// is replaced as in ITU-R BS.775, table 2: centre and surround go to left and right with a gain of √½, a single
    /// back channel with ½; low frequencies are dropped. Surround loudspeakers at the side and at the back replace
    /// each other. Mono is the mean of left and right, so a 5.1 source becomes mono with the same loudness as if it
    /// were converted to stereo first; a mono source goes to left and right unchanged. Loud passages can exceed full
    /// scale, as in every decoder that follows the recommendation: use `normalized` if that matters more than the
    /// loudness of the rest.
    ///
    /// If a channel has no loudspeaker, or the target is neither mono nor has left and right, the result is
    /// `byNumber`.
    public static func standard(from source: AudioFormat, to target: AudioFormat) -> ChannelMatrix {
        let byNumber = ChannelMatrix.byNumber(from: source.channels, to: target.channels)
        if source.layout == target.layout && source.channels == target.channels { return byNumber }
        guard source.hasLoudspeakers, target.hasLoudspeakers else { return byNumber }
        if target.layout == .mono { return mono(from: source) }
        guard target.layout.isSuperset(of: .stereo) else { return byNumber }
        return folded(source.layout, into: target.layout)
    }

    private static func mono(from source: AudioFormat) -> ChannelMatrix {
        let stereo = folded(source.layout, into: .stereo)
        return ChannelMatrix(rows: [(0..<source.channels).map { (stereo[0, $0] + stereo[1, $0]) / 2 }])
    }

    private static func folded(_ source: ChannelLayout, into target: ChannelLayout) -> ChannelMatrix {
        var matrix = ChannelMatrix(
            sources: source.rawValue.nonzeroBitCount, targets: target.rawValue.nonzeroBitCount)
        for speaker in source.speakers {
            guard let channel = source.channel(for: speaker) else { continue }
            for place in places(of: speaker, of: source, in: target) {
                guard let row = target.channel(for: place.speaker) else { continue }
                matrix[row, channel] = place.gain
            }
        }
        return matrix
    }
}

/// A loudspeaker and its gain.
private typealias Place = (speaker: ChannelLayout, gain: Double)
private let rootOfHalf = 0.5.squareRoot()

/// Returns the existing loudspeakers that play the sound of one loudspeaker; left and right always exist.
private func places(of speaker: ChannelLayout, of source: ChannelLayout, in target: ChannelLayout) -> [Place] {
    if target.contains(speaker) { return [(speaker, 1)] }
    switch speaker {
    case .frontCenter:
        let gain = source == .mono ? 1 : rootOfHalf
        return [(.frontLeft, gain), (.frontRight, gain)]
    case .backCenter:
        let pairs: [ChannelLayout] = [[.backLeft, .backRight], [.sideLeft, .sideRight]]
        guard let pair = pairs.first(where: { target.isSuperset(of: $0) }) else {
            return [(.frontLeft, 0.5), (.frontRight, 0.5)]
        }
        return pair.speakers.map { ($0, rootOfHalf) }
    case .backLeft, .sideLeft:
        return [surround(speaker == .backLeft ? .sideLeft : .backLeft, else: .frontLeft, source, target)]
    case .backRight, .sideRight:
        return [surround(speaker == .backRight ? .sideRight : .backRight, else: .frontRight, source, target)]
    default:
        return []
    }
}

/// Returns the other surround loudspeaker of the same side, with a lower gain if the source has sound for it, too;
/// the front loudspeaker if the target has no other one.
private func surround(
    _ other: ChannelLayout, else front: ChannelLayout, _ source: ChannelLayout, _ target: ChannelLayout
) -> Place {
    guard target.contains(other) else { return (front, rootOfHalf) }
    return (other, source.contains(other) ? rootOfHalf : 1)
}

extension AudioFormat {
    fileprivate var hasLoudspeakers: Bool { layout.rawValue.nonzeroBitCount == channels }
}

extension ChannelLayout {
    /// The loudspeakers, each as a separate layout, in the order of their channels.
    fileprivate var speakers: [ChannelLayout] {
        (0..<UInt32.bitWidth).map { ChannelLayout(rawValue: 1 << UInt32($0)) }.filter(contains)
    }
}
