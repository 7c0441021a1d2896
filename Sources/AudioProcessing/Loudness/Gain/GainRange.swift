// SPDX-License-Identifier: GPL-3.0-or-later

/// The gains in dB that loudness normalization applies.
public enum GainRange {
    /// The quietest podcasts, at −30 LUFS, reach −15; the limiter prevents overshoot.
    public static let limits = -12.0...15.0
    /// The gains of tags that are believed; a greater one is more likely an error of the tagger.
    public static let believable = -12.0...12.0

    /// Returns true if a tag with this gain is believed; false for NaN.
    public static func isBelievable(_ gain: Double) -> Bool { believable.contains(gain) }

    /// Returns the nearest gain within the limits; 0 for NaN.
    public static func clamp(_ gain: Double) -> Double {
        gain.isNaN ? 0 : min(max(gain, limits.lowerBound), limits.upperBound)
    }
}
