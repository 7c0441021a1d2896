// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The line-drawing and state characters of the screen, each one column wide.
struct Glyphs {
    private let isUnicode: Bool
    private let columns: (Character) -> Int

    init(_ traits: TerminalTraits) { (isUnicode, columns) = (traits.isUnicode, traits.columns) }

    /// Returns the Unicode character if the terminal shows it in one column.
    private func pick(_ unicode: Character, _ ascii: Character) -> Character {
        isUnicode && columns(unicode) == 1 ? unicode : ascii
    }

    var horizontal: Character { pick("─", "-") }
    var vertical: Character { pick("│", "|") }
    var downTee: Character { pick("┬", "+") }
    var upTee: Character { pick("┴", "+") }
    var rightTee: Character { pick("├", "+") }
    var leftTee: Character { pick("┤", "+") }
    var cross: Character { pick("┼", "+") }
    var ellipsis: String { isUnicode && columns("…") == 1 ? "…" : "..." }
    var dash: String { isUnicode && columns("–") == 1 ? " – " : " - " }
    var tick: Character { "|" }

    func state(_ row: EpisodeRow) -> Character {
        switch row.progress {
        case .unplayed: pick("○", "o")
        case .started: pick("◐", "(")
        case .played: pick("●", "*")
        }
    }

    func activity(_ activity: PlayerState.Activity) -> Character {
        switch activity {
        case .playing: pick("▶", ">")
        case .paused: pick("‖", "=")
        case .loading, .buffering: pick("…", "~")
        case .seeking: pick("»", "/")
        case .connectionLost, .noDevice: "!"
        case .idle: "."
        case .ended: pick("■", "#")
        }
    }

    var played: Character { pick("━", "=") }
    var arrived: Character { pick("─", "-") }
    var missing: Character { pick("·", ".") }
    var playhead: Character { pick("●", "O") }
}
