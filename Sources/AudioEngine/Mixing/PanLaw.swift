// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The channel gains of a source panned between left (-1) and right (+1): constant power, along a quarter of a sine.
/// A mono source in the middle is 3 dB down in both channels. A stereo source in the middle is unchanged, so that
/// only a pan away from the middle attenuates one channel and amplifies the other, by 3 dB at the end.
public struct PanLaw: Sendable, Hashable, BitwiseCopyable {
    public let left: Float
    public let right: Float

    /// - Parameters:
    ///   - pan: clamped to `-1...1`; NaN is the middle.
    ///   - channels: the channels of the source, 1 or 2; of more channels, the gains are those of the first two.
    public init(pan: Float, channels: Int) {
        let place = pan.isNaN ? 0 : Double(min(max(pan, -1), 1))
        guard channels == 1 || place != 0 else {
            (left, right) = (1, 1)
            return
        }
        let angle = (place + 1) * .pi / 4
        let scale = channels > 1 ? 2.0.squareRoot() : 1
        // The computed cosine of π/2 is not exactly 0.
        left = place == 1 ? 0 : Float(cos(angle) * scale)
        right = place == -1 ? 0 : Float(sin(angle) * scale)
    }
}
