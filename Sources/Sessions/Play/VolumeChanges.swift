// SPDX-License-Identifier: GPL-3.0-or-later

/// The changes of the volume of a player that are not stored yet. Pure.
///
/// A volume is stored when it has not changed for a second, because a listener changes it in steps. It is not stored
/// again before the next change, so that it cannot replace the later choice of another process. A choice is lost if the
/// process crashes within that second, or if a volume of one playback replaces it.
struct VolumeChanges: Sendable, Equatable {
    /// Shorter than the time after which a resting session ticks.
    private static let settling = Duration.seconds(1)

    /// The last volume that was stored, or that an option set.
    private var known: Double
    private var present: Double
    /// The former volume, until the player has one of the present playback only.
    private var replaced: Double?
    private var since = Duration.zero

    init(from volume: Double) { (known, present) = (volume, volume) }

    /// Notes a volume of the present playback only, which is not stored. The player may still have the former one.
    mutating func assume(_ volume: Double) { (known, replaced) = (volume, volume == present ? nil : present) }

    /// Follows the volume of the player.
    /// - Returns: the volume to store now; `nil` if there is none.
    mutating func update(_ volume: Double, at now: Duration) -> Double? {
        guard volume != replaced else { return nil }
        replaced = nil
        if volume != present { (present, since) = (volume, now) }
        return now - since >= Self.settling ? close(volume) : nil
    }

    /// - Parameter volume: the volume at the end.
    /// - Returns: the volume to store at the end; `nil` if there is none.
    mutating func close(_ volume: Double) -> Double? {
        guard volume != replaced, Self.percent(volume) != Self.percent(known) else { return nil }
        known = volume
        return volume
    }

    /// The precision of a stored volume.
    private static func percent(_ volume: Double) -> Double { (volume * 100).rounded() }
}
