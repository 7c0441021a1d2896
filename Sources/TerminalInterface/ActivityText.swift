// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// What the player is doing, in words, as a symbol of one column, and as it is called in `--json`.
struct ActivityText: Equatable {
    let words: String
    /// The stable word of docs/json-events.md.
    let name: String
    let tint: StyledText.Tint
    private let unicodeSymbol: String
    private let asciiSymbol: String

    /// Whether the words must be shown even where there is little room.
    let isNews: Bool

    init(_ activity: PlayerStatus.Activity) {
        switch activity {
        case .idle: self.init("waiting", "idle", .faint, "·", ".")
        case .loading: self.init("loading", "loading", .warning, "…", "~", isNews: true)
        case .buffering(let percent):
            let words = percent.map { "buffering \(min(max(0, $0), 100))%" } ?? "buffering"
            self.init(words, "buffering", .warning, "…", "~", isNews: true)
        case .seeking: self.init("seeking", "seeking", .warning, "»", "/", isNews: true)
        case .playing: self.init("playing", "playing", .good, "▶", ">")
        case .paused(waiting: false): self.init("paused", "paused", .strong, "‖", "=")
        case .paused(waiting: true): self.init("paused, buffering", "paused", .strong, "‖", "=")
        case .ended: self.init("ended", "ended", .faint, "■", "#")
        case .failedAtEdge: self.init("lost connection", "failedAtEdge", .bad, "✗", "!", isNews: true)
        case .noDevice: self.init("no sound output, trying again", "noDevice", .bad, "!", "!", isNews: true)
        }
    }

    private init(
        _ words: String, _ name: String, _ tint: StyledText.Tint, _ unicode: String, _ ascii: String,
        isNews: Bool = false
    ) {
        (self.words, self.name, self.tint, self.isNews) = (words, name, tint, isNews)
        (unicodeSymbol, asciiSymbol) = (unicode, ascii)
    }

    /// The words, and what stands for them where they do not fit: the percentage, or nothing.
    var byLength: [PrintableText] {
        let percentage = words.split(separator: " ").last { $0.hasSuffix("%") } ?? ""
        return [PrintableText(words), PrintableText(percentage)]
    }

    func symbol(_ glyphs: LineStyle.Glyphs) -> String { glyphs == .unicode ? unicodeSymbol : asciiSymbol }
}
