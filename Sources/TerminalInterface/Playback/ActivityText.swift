// SPDX-License-Identifier: GPL-3.0-or-later
import Playback

/// The player's activity as words, as a symbol of one column, and as the name used in `--json`.
struct ActivityText: Equatable {
    private(set) var words: String
    /// The stable word of docs/json-events.md.
    let name: String
    private(set) var tint: StyledText.Tint
    private let unicodeSymbol: String
    private let asciiSymbol: String

    /// True if the words must be shown even on a narrow line.
    private(set) var isNews: Bool

    /// The shortest text for the expected wait; empty if there is none.
    private var brief = ""

    /// Creates the text for the activity, with the expected wait or the time until a likely stall.
    init(_ status: PlayerStatus) {
        self.init(status.activity)
        switch status.activity {
        case .loading, .buffering, .seeking:
            guard let wait = status.wait?.expected, wait >= .seconds(1) else { return }
            add(ClockText.about(wait))
        case .playing:
            guard let risk = status.stallRisk, risk.probability >= 0.5, let time = risk.time, time < Self.near else {
                return
            }
            add("may stop in", ClockText.about(time))
            (tint, isNews) = (.warning, true)
        // Playback has stopped before the end of the item.
        case .idle where status.item != nil: words = "stopped"
        case .idle, .paused, .ended, .connectionLost, .noDevice: return
        }
    }

    /// A stall that is further away is not shown.
    private static let near = Duration.seconds(60)

    private mutating func add(_ texts: String...) {
        words += ", " + texts.joined(separator: " ")
        brief = texts.last ?? ""
    }

    init(_ activity: PlayerStatus.Activity) {
        switch activity {
        case .idle: self.init("waiting", "idle", .faint, "·", ".")
        case .loading: self.init("loading", "loading", .warning, "…", "~", isNews: true)
        case .buffering: self.init("buffering", "buffering", .warning, "…", "~", isNews: true)
        case .seeking: self.init("seeking", "seeking", .warning, "»", "/", isNews: true)
        case .playing: self.init("playing", "playing", .good, "▶", ">")
        case .paused(waiting: false): self.init("paused", "paused", .strong, "‖", "=")
        case .paused(waiting: true): self.init("paused, buffering", "paused", .strong, "‖", "=")
        case .ended: self.init("ended", "ended", .faint, "■", "#")
        case .connectionLost: self.init("lost connection", "failedAtEdge", .bad, "✗", "!", isNews: true)
        case .noDevice: self.init("no sound output, waiting", "noDevice", .bad, "!", "!", isNews: true)
        }
    }

    private init(
        _ words: String, _ name: String, _ tint: StyledText.Tint, _ unicode: String, _ ascii: String,
        isNews: Bool = false
    ) {
        (self.words, self.name, self.tint, self.isNews) = (words, name, tint, isNews)
        (unicodeSymbol, asciiSymbol) = (unicode, ascii)
    }

    /// The words, followed by shorter forms for narrow lines.
    var byLength: [PrintableText] {
        [words, brief, brief.isEmpty ? "" : "~" + brief.dropFirst("about ".count)].map { PrintableText($0) }
    }

    func symbol(_ glyphs: LineStyle.Glyphs) -> String { glyphs == .unicode ? unicodeSymbol : asciiSymbol }
}
