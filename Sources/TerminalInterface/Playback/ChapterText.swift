// SPDX-License-Identifier: GPL-3.0-or-later
import Media
package import Playback

/// Chapters as text for people.
package enum ChapterText {
    /// Returns the title of the chapter being played, marked with `~` if its place is approximate; `nil` without one.
    static func title(_ status: PlayerStatus) -> String? {
        guard let title = status.chapter?.chapter.title else { return nil }
        return (status.chapters?.isApproximate == true ? "~" : "") + title
    }

    /// Returns the name of the source of a list.
    static func name(_ source: ChapterList.Source) -> String {
        switch source {
        case .inFile: "in the file"
        case .json: "from the chapters document"
        case .podlove: "from the feed"
        case .notes: "from the notes"
        }
    }

    /// Returns the reason why a command finds no chapter to go to; `nil` if it finds one, and for other commands.
    package static func problem(_ command: PlayerCommand, _ status: PlayerStatus) -> String? {
        guard case .chapter(let choice) = command else { return nil }
        guard let chapters = status.chapters else { return "the episode has no chapters" }
        guard chapters.target(of: choice, from: status.positionOrStart ?? .zero) == nil else { return nil }
        switch choice {
        case .next: return "this is the last chapter"
        case .previous: return "this is the first chapter"
        case .number(let number): return "there is no chapter \(number): the episode has \(count(chapters))"
        case .title(let title):
            return "no chapter has the title \"\(PrintableText(title).cut(to: 60, ellipsis: "...").text)\""
        }
    }

    private static func count(_ chapters: ItemChapters) -> String {
        CountText.text(chapters.chapters.count, "chapter")
    }
}
