// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The chapters in Vorbis comments: the entries CHAPTER001=00:01:02.500, CHAPTER001NAME=Title and
/// CHAPTER001URL=https://host.example/. Source: Xiph.Org wiki, "Chapter Extension".
struct VorbisChapters: Sendable, Equatable {
    /// By number.
    private var chapters: [Int: Draft] = [:]

    private struct Draft: Sendable, Equatable {
        var start: Duration?
        var title: String?
        var url: String?
    }

    private static let prefix = "CHAPTER"
    /// The digits of the longest number; numbers have three digits, and FFmpeg counts on with four.
    private static let mostDigits = 4
    /// The longest value in bytes; a longer one is ignored.
    private static let longestValue = 4096

    /// The chapters; one without a start is omitted.
    var list: ChapterList {
        let numbered = chapters.sorted { $0.key < $1.key }.map(\.value)
        return ChapterList(
            .inFile,
            numbered.compactMap { draft in
                draft.start.map { Chapter(start: $0, title: draft.title, url: draft.url) }
            })
    }

    /// Adds an entry if it belongs to a chapter. The first of several values counts.
    /// - Parameter name: the name of the entry in upper case.
    mutating func add(_ name: String, _ value: String) {
        guard name.hasPrefix(Self.prefix), value.utf8.count <= Self.longestValue else { return }
        let digits = name.dropFirst(Self.prefix.count).utf8.prefix { 0x30...0x39 ~= $0 }
        guard 3...Self.mostDigits ~= digits.count, let number = Int(Substring(digits)) else { return }
        switch name[digits.endIndex...] {
        case "": chapters[number, default: Draft()].start = chapters[number]?.start ?? Self.time(value)
        case "NAME": chapters[number, default: Draft()].title = chapters[number]?.title ?? value
        case "URL": chapters[number, default: Draft()].url = chapters[number]?.url ?? value
        default: break
        }
    }

    /// Returns the time that hours, minutes, seconds and a fraction of a second state.
    private static func time(_ text: String) -> Duration? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 3, let hours = Int(parts[0]), let minutes = Int(parts[1]), let seconds = Double(parts[2]),
            0..<1000 ~= hours, 0..<60 ~= minutes, 0..<61 ~= seconds
        else { return nil }
        return .seconds(hours * 3600 + minutes * 60) + .milliseconds(Int((seconds * 1000).rounded()))
    }
}
