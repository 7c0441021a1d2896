// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// How loud a source placed between left (-1) and right (+1) is in either channel: constant power, a quarter of a
/// sine. One channel in the middle is 3 dB down in both; two channels in the middle stay as they are, so that only a
/// pan away from there turns one down and the other up, by 3 dB at the end.
public struct PanLaw: Sendable, Hashable, BitwiseCopyable {
    public let left: Float
    public let right: Float

    /// - Parameters:
    ///   - pan: brought into `-1...1`; what is not a number is the middle.
    ///   - channels: those of the source, 1 or 2; of more the first two are meant.
    public init(pan: Float, channels: Int) {
        let place = pan.isNaN ? 0 : Double(min(max(pan, -1), 1))
        guard channels == 1 || place != 0 else {
            (left, right) = (1, 1)
            return
        }
        let angle = (place + 1) * .pi / 4
        let scale = channels > 1 ? 2.0.squareRoot() : 1
        // At the ends the sine of π is not quite nothing.
        left = place == 1 ? 0 : Float(cos(angle) * scale)
        right = place == -1 ? 0 : Float(sin(angle) * scale)
    }
}
