// SPDX-License-Identifier: GPL-3.0-or-later
import MPEGAudio
import Media
import Testing

@Suite("The spans of chapters in ID3v2")
struct ID3ChapterSpansTests {
    typealias Frames = ChapterFrames

    /// Returns the chapters of a tag as texts such as `a 0-10`, and `(b) 10-20` for a hidden one.
    /// - Parameter chapters: names, starts and ends in seconds; a name in capitals is hidden.
    private func spans(_ chapters: [(String, Int, Int)]) -> [String] {
        let frames = chapters.flatMap { name, start, end in
            Frames.chapter(4, name, start * 1000, end * 1000, Frames.title(4, name))
        }
        let listed = chapters.map(\.0).filter { $0 == $0.lowercased() }
        return Frames.list(4, frames + Frames.table(4, "toc", listed)).map { chapter in
            let end = chapter.end.map { "\($0.components.seconds)" } ?? ""
            let name = chapter.title ?? ""
            return "\(chapter.isInTableOfContents ? name : "(\(name))") \(chapter.start.components.seconds)-\(end)"
        }
    }

    @Test(
        "A chapter lasts while hidden ones follow it, at most until the next chapter",
        arguments: [
            ([("a", 0, 10), ("H", 10, 20), ("b", 20, 30)], ["a 0-20", "(H) 10-20", "b 20-30"]),
            ([("a", 0, 10), ("H", 10, 20), ("I", 20, 25)], ["a 0-25", "(H) 10-20", "(I) 20-25"]),
            ([("a", 0, 10), ("H", 10, 40), ("b", 20, 30)], ["a 0-20", "(H) 10-20", "b 20-30"]),
            ([("a", 0, 9), ("H", 10, 20), ("b", 20, 30)], ["a 0-9", "(H) 10-20", "b 20-30"]),
        ] as [([(String, Int, Int)], [String])])
    func hidden(chapters: [(String, Int, Int)], expected: [String]) {
        #expect(spans(chapters) == expected)
    }

    @Test(
        "A chapter that contains others continues after them, unless less than 2 seconds of it remain",
        arguments: [
            ([("a", 0, 60), ("b", 10, 20)], ["a 0-10", "b 10-20", "a 20-60"]),
            ([("a", 0, 60), ("b", 0, 20), ("c", 20, 30)], ["a 0-20", "c 20-30", "a 30-60"]),
            (
                [("a", 0, 60), ("b", 10, 40), ("c", 20, 30), ("d", 70, 80)],
                ["a 0-10", "b 10-20", "c 20-30", "b 30-40", "a 40-60", "d 70-80"]
            ),
            ([("a", 0, 60), ("b", 10, 20), ("c", 21, 59)], ["a 0-10", "b 10-20", "c 21-59"]),
            ([("a", 0, 15), ("b", 10, 20), ("c", 30, 40)], ["a 0-10", "b 10-20", "c 30-40"]),
            ([("a", 0, 40), ("b", 10, 40), ("c", 20, 40)], ["a 0-10", "b 10-20", "c 20-40"]),
        ] as [([(String, Int, Int)], [String])])
    func nested(chapters: [(String, Int, Int)], expected: [String]) {
        #expect(spans(chapters) == expected)
    }
}
