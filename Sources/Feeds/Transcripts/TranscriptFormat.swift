// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The formats of transcripts, the most useful first.
enum TranscriptFormat: Int, Sendable, CaseIterable {
    /// Source: W3C, WebVTT: The Web Video Text Tracks Format.
    case webVTT
    /// SRT.
    case subRip
    /// Source: the podcast namespace, transcript file format details, JSON.
    case json
    /// Source: the podcast namespace, transcript file format details, HTML.
    case html
    case text

    /// True if the format always has times, or a structure that prose lacks.
    var isStructured: Bool { rawValue <= Self.json.rawValue }

    /// - Parameter type: a media type, possibly with parameters.
    /// - Returns: `nil` for types of other formats.
    init?(type: String) {
        let type = type.lowercased()
        let names: [(name: String, format: Self)] = [
            ("vtt", .webVTT), ("srt", .subRip), ("subrip", .subRip), ("json", .json), ("html", .html),
            ("text/plain", .text),
        ]
        guard let format = names.first(where: { type.contains($0.name) })?.format else { return nil }
        self = format
    }

    /// Determines the declared format: by the type, or by the extension of the URL if the type says nothing.
    init?(type: String?, url: String?) {
        let ending = url.flatMap { WebURL($0).fileExtension }
        let named: [String: Self] = [
            "vtt": .webVTT, "srt": .subRip, "json": .json, "html": .html, "htm": .html, "txt": .text,
        ]
        guard let format = type.flatMap(Self.init(type:)) ?? ending.flatMap({ named[$0] }) else { return nil }
        self = format
    }

    /// The number of bytes that are searched for a time or a tag.
    private static let headLength = 8 << 10

    /// The bytes of a second byte order mark.
    private static let mark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// Determines the format from the content.
    /// - Parameter content: UTF-8 without a byte order mark.
    init(content: UnsafeBufferPointer<UInt8>) {
        let start = content.firstIndex { !ASCII.isSpace($0) && !Self.mark.contains($0) } ?? 0
        let text = UnsafeBufferPointer(rebasing: content[start...])
        let head = UnsafeBufferPointer(rebasing: text.prefix(Self.headLength))
        if text.starts(with: "WEBVTT".utf8) {
            self = .webVTT
        } else if Self.beginsJSON(text) {
            self = .json
        } else if TextLines(head).contains(where: { CaptionTime.range($0) != nil }) {
            self = .subRip
        } else {
            self = Self.isMarkup(head) ? .html : .text
        }
    }

    /// True for an object or an array of objects; `[Music]` is text.
    private static func beginsJSON(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var marks = text.lazy.filter { !ASCII.isSpace($0) }.makeIterator()
        let (first, second) = (marks.next(), marks.next())
        return first == UInt8(ascii: "{") && second == UInt8(ascii: "\"")
            || first == UInt8(ascii: "[") && second == UInt8(ascii: "{")
    }

    /// True if a tag divides the text into paragraphs; a text with emphasis only is plain text.
    private static func isMarkup(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        HTMLTokenizer(text).contains { token in
            guard case .tag(let tag) = token else { return false }
            return ["html", "head", "body", "cite", "time"].contains(tag.name)
                || HTMLElement.kind(of: tag.name) == .block
        }
    }
}
