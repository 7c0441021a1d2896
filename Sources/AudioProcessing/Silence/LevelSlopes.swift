// SPDX-License-Identifier: GPL-3.0-or-later

/// A comparison of how often the level rises and falls, which tells speech from percussion and plucked strings.
///
/// A syllable ends about as fast as it begins. A drum begins suddenly and fades away.
struct LevelSlopes: Sendable {
    /// The levels of the last 25 ms; the one at `next` is the oldest.
    private var levels = [Float](repeating: -120, count: 5)
    private var next = 0
    /// The part of loud steps that rise minus the part that fall. A step counts e times as much as the 800th before it.
    private(set) var balance: Float = 0

    /// Takes the level of a step, in dB.
    /// - Parameter isLoud: quiet steps do not count, because speech fades away in a room, too.
    mutating func add(_ level: Float, isLoud: Bool) {
        let change = level - levels[next]
        levels[next] = level
        next = (next + 1) % levels.count
        guard isLoud else { return }
        // The reverberation of most rooms falls by less than 2.75 dB in 25 ms.
        let slope: Float = change > 2.75 ? 1 : change < -2.75 ? -1 : 0
        balance += (slope - balance) / 800
    }
}
