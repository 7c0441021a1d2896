// SPDX-License-Identifier: GPL-3.0-or-later

/// Numbers of things as text for people.
package enum CountText {
    /// Returns `1 episode` or `12 episodes`.
    /// - Parameter noun: the singular of a noun whose plural ends with an added `s`.
    package static func text(_ count: Int, _ noun: String) -> String { text(count, noun, "\(noun)s") }

    /// Returns `1 queue entry` or `12 queue entries`.
    package static func text(_ count: Int, _ one: String, _ many: String) -> String {
        "\(count) \(count == 1 ? one : many)"
    }
}
