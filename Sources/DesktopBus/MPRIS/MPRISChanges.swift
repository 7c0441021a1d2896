// SPDX-License-Identifier: GPL-3.0-or-later

/// A signal of the MPRIS object.
public enum MPRISSignal: Sendable, Equatable {
    /// The changed properties of the player interface.
    case propertiesChanged([DBusValue.Entry])
    /// The position in microseconds, after it jumped.
    case seeked(Int64)
}

/// The signals that follow from successive states of the player.
///
/// Position is never among the changed properties. `Seeked` corrects the position that clients assume: they start a new
/// item at 0 and then add the time that passes while the status is Playing.
struct MPRISChanges: Sendable {
    /// The error of the assumed position from which clients are corrected.
    private static let tolerance = Duration.milliseconds(500)
    /// The same after a seek. The position may be known before the seek is reported, and is corrected only once.
    private static let seekTolerance = Duration.milliseconds(50)
    /// The change of an estimated duration from which clients are informed: to them, new metadata looks like a new
    /// item.
    private static let durationTolerance = Duration.seconds(1)

    private(set) var shown = MPRISSnapshot()
    private var assumed = MPRISPosition()
    private var announcedJumps = 0

    /// Returns the signals in the order in which they must be sent.
    mutating func update(_ snapshot: MPRISSnapshot) -> [MPRISSignal] {
        var next = snapshot
        keepSimilarDuration(in: &next)
        let changes = MPRISProperty.all.compactMap { property -> DBusValue.Entry? in
            guard property.announcement == .value else { return nil }
            let value = property.value(next, .zero)
            return value == property.value(shown, .zero) ? nil : .init(property.name, value)
        }
        assume(next)
        shown = next
        return (changes.isEmpty ? [] : [.propertiesChanged(changes)]) + correction(next)
    }

    private func keepSimilarDuration(in next: inout MPRISSnapshot) {
        guard let item = next.item, item.isDurationEstimated, item.trackID == shown.item?.trackID,
            let new = item.duration, let old = shown.item?.duration, abs(new - old) <= Self.durationTolerance
        else { return }
        next.item?.duration = old
    }

    /// Updates the position that clients assume after they received the changed properties.
    private mutating func assume(_ next: MPRISSnapshot) {
        let now = next.position.time
        let isNew = next.item?.trackID != shown.item?.trackID
        let rate = next.status == .playing ? next.speed : 0
        assumed = MPRISPosition(isNew ? .zero : assumed.value(at: now), at: now, rate: rate)
    }

    private mutating func correction(_ next: MPRISSnapshot) -> [MPRISSignal] {
        guard next.item != nil, next.isSettled else { return [] }
        let error = next.position.value - assumed.value
        let tolerance = next.jumps == announcedJumps ? Self.tolerance : Self.seekTolerance
        announcedJumps = next.jumps
        guard abs(error) > tolerance else { return [] }
        assumed.value = next.position.value
        return [.seeked(next.position(at: next.position.time).microseconds)]
    }
}

private func abs(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }
