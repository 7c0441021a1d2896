// SPDX-License-Identifier: GPL-3.0-or-later

/// The step in which bytes arrive and rules decide; when sound runs dry is known exactly.
enum Tick {
    static let seconds = 0.1
    static let second = 10

    static func count(_ seconds: Double) -> Int { Int(seconds / Self.seconds) }
}
