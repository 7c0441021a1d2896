// SPDX-License-Identifier: GPL-3.0-or-later

/// The line on standard error for a repair in a feed.
public enum RepairText {
    /// Returns the line.
    /// - Parameter words: the description, which may quote the feed.
    public static func line(_ words: String) -> ReportText {
        .error(PrintableText(words).text + "\n")
    }
}
