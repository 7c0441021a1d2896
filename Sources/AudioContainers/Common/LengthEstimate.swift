// SPDX-License-Identifier: GPL-3.0-or-later

/// An estimate of a track's length from the mean bit rate up to a known place.
enum LengthEstimate {
    /// The fewest bytes that allow an estimate.
    private static let least: Int64 = 16 << 10

    /// - Parameters:
    ///   - frames: The number of PCM frames up to the place.
    ///   - bytes: The number of bytes up to the place.
    ///   - total: The number of bytes of the whole track; `nil` if unknown.
    static func length(frames: Int64, bytes: Int64, total: Int64?) -> TrackLength {
        guard let total, bytes >= least, frames > 0, total >= bytes else { return .unknown }
        return .estimated(frames.scaled(by: total, over: bytes))
    }
}
