// SPDX-License-Identifier: GPL-3.0-or-later

/// Numbers of things as text for people.
package enum CountText {
    /// Returns `1 episode` or `12 episodes`.
    /// - Parameter noun: the singular of a noun whose plural ends with an added `s`.
    package static func text(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }
}
