// SPDX-License-Identifier: GPL-3.0-or-later

/// Show notes without their markup.
public enum ShowNotesText {
    /// All words on one line.
    public static func words(_ html: String) -> String { PlainText.line(Array(html.utf8)) ?? "" }
}
