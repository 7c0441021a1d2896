// SPDX-License-Identifier: GPL-3.0-or-later

/// What was repaired in a feed, as a line on standard error.
public enum RepairText {
    /// - Parameter words: may quote the feed.
    public static func line(_ words: String) -> ReportText {
        .error(PrintableText(words).text + "\n")
    }
}
