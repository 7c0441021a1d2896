// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The weighting of frequencies and channels. Source: ITU-R BS.1770-5 annex 1.
enum LoudnessWeighting {
    /// The sample rate of the coefficients in BS.1770.
    private static let specifiedRate = 48000.0
    /// The shelf of the K-weighting. Source: BS.1770-5 table 1.
    static let shelf = AnalogSection(
        digital: Biquad(
            b0: 1.535_124_859_586_97, b1: -2.691_696_189_406_38, b2: 1.198_392_810_852_85, a1: -1.690_659_293_182_41,
            a2: 0.732_480_774_215_85),
        sampleRate: specifiedRate)
    /// The high-pass of the K-weighting. Source: BS.1770-5 table 2.
    static let highPass = AnalogSection(
        digital: Biquad(b0: 1, b1: -2, b2: 1, a1: -1.990_047_454_833_98, a2: 0.990_072_250_366_21),
        sampleRate: specifiedRate)

    /// Returns the K-weighting filter. Below 8 kHz, where a part of the shelf is above half the sample rate, the filter
    /// is that for 8 kHz.
    static func filter(_ format: AudioFormat) -> FilterCascade {
        FilterCascade(shelf, highPass, sampleRate: max(8000, format.sampleRate), channels: format.channels)
    }

    /// Returns the weight of each channel's power: 0 for low-frequency effects, 1.41 for loudspeakers at the side, 1
    /// for the others. A single channel counts twice, because two loudspeakers play it.
    static func channelWeights(_ format: AudioFormat) -> [Double] {
        if format.channels == 1 { return [2] }
        let layout = format.layout
        let sides: ChannelLayout = [.sideLeft, .sideRight]
        // Without loudspeakers at the side, those called back stand there: the surround channels of 5.1.
        let surround = layout.isDisjoint(with: sides) ? [.backLeft, .backRight] : sides
        let speakers = (0..<UInt32.bitWidth).map { ChannelLayout(rawValue: 1 << UInt32($0)) }
            .filter { layout.contains($0) }
        return (0..<format.channels).map { channel in
            guard channel < speakers.count else { return 1 }
            if speakers[channel] == .lowFrequency { return 0 }
            return surround.contains(speakers[channel]) ? 1.41 : 1
        }
    }

    /// Returns the loudness in LUFS of a weighted power. Source: BS.1770-5 annex 1, equation 2.
    static func loudness(power: Double) -> Double { Decibels.ofPower(power) - 0.691 }

    /// Returns the weighted power of a loudness in LUFS.
    static func power(loudness: Double) -> Double { Decibels.power(loudness + 0.691) }
}
