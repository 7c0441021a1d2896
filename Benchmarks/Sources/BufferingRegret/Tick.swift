// SPDX-License-Identifier: GPL-3.0-or-later

/// The time step at which bytes arrive and rules decide; the instant at which the audio runs out is calculated
/// exactly.
enum Tick {
    static let seconds = 0.1
    static let second = 10

    static func count(_ seconds: Double) -> Int { Int(seconds / Self.seconds) }
}
