// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Measuring

/// The effects of TCP, the server and a reconnecting player on a link, tick by tick.
struct Connection {
    /// Ten segments (RFC 6928).
    private static let initialWindow = 14600.0
    /// The time without data after which a player reconnects.
    private static let patience = 20.0
    private static let redialling = 5.0

    let roundTrip: Double
    let drops: LinkFamily.Drops?
    private let burst: Double
    private let pace: Double
    private var chance: SeededGenerator
    private var time = 0.0
    private var window = Self.initialWindow
    private var blockedUntil: Double
    private var deadSince: Double?
    private var nextDrop = Double.infinity
    private var betweenDrops = Double.infinity
    private var ticks = 0
    private(set) var received = 0.0

    init(_ family: LinkFamily, roundTrip: Double, answerAt first: Double, bitRate: Double, _ seed: UInt64) {
        self.roundTrip = roundTrip
        chance = SeededGenerator(seed: seed)
        blockedUntil = first
        drops = family.drops
        burst = family.burst?.bytes.number(&chance) ?? .infinity
        pace = bitRate * (family.burst?.thenTimesBitRate.number(&chance) ?? 1)
        guard let drops else { return }
        betweenDrops = 60 / drops.perMinute.number(&chance)
        nextDrop = chance.exponential(mean: betweenDrops)
    }

    private var handshake: Double { 3 * roundTrip + 0.05 }
    private var isBlocked: Bool { time + Tick.seconds <= blockedUntil }

    /// Advances the time by one tick.
    /// - Parameter rate: The rate of the link in this tick, in bytes per second.
    mutating func pass(rate: Double) {
        time = Double(ticks) * Tick.seconds
        ticks += 1
        if time >= nextDrop { drop() }
        guard !isBlocked else { return }
        guard rate >= 500 else {
            deadSince = deadSince ?? time
            return
        }
        if let since = deadSince { recover(from: since) }
        if !isBlocked { receive(at: rate) }
    }

    private mutating func receive(at rate: Double) {
        let allowed = window / roundTrip
        // Slow start.
        if allowed < 2 * rate { window *= pow(2, Tick.seconds / roundTrip) }
        received += min(rate, allowed, received > burst ? pace : .infinity) * Tick.seconds
    }

    private mutating func drop() {
        let back = time + (drops?.reconnecting.number(&chance) ?? 0) + handshake
        blockedUntil = max(blockedUntil, back)
        window = Self.initialWindow
        nextDrop = time + chance.exponential(mean: betweenDrops)
    }

    /// Ends an outage: no data arrives until the sender retransmits, each time after twice the interval (RFC 6298,
    /// 5.5), or the player reconnects.
    private mutating func recover(from since: Double) {
        deadSince = nil
        let outage = time - since
        guard outage >= 1 else { return }
        var (timeout, back) = (max(0.2, 2 * roundTrip), 0.0)
        while back < outage {
            back += min(timeout, 60)
            timeout *= 2
        }
        blockedUntil = min(since + back, redial(at: time, after: outage) + handshake)
        window = Self.initialWindow
    }

    /// Returns the time at which the player reconnects; if its timeout passed during the outage, it has been retrying
    /// since.
    private func redial(at time: Double, after outage: Double) -> Double {
        let over = outage - Self.patience
        guard over > 0 else { return time - over }
        return time + Self.redialling - over.truncatingRemainder(dividingBy: Self.redialling)
    }
}
