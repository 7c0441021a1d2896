// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Times and days as text, in local time.
enum DateText {
    /// Returns `2026-01-31`.
    static func day(_ time: UTCTime) -> String { String(shown(time).prefix { $0 != "T" }) }

    /// Returns `2026-01-31 18:30`.
    static func minute(_ time: UTCTime) -> String {
        String(shown(time).prefix(16)).replacing("T", with: " ")
    }

    private static func shown(_ time: UTCTime) -> String { WallClock.current.reading(at: time).description }
}
