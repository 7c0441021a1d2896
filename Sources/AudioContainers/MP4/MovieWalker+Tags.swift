// SPDX-License-Identifier: GPL-3.0-or-later
import Media

extension MovieWalker {
    private static let longestTag: Int64 = 64 << 10
    private static let longestChapterList: Int64 = 1 << 20

    /// Reads an item of iTunes or QuickTime (`ilst`), a text of QuickTime (`udta`), or Nero's list of chapters.
    mutating func readTag(_ box: BoxHeader, in parent: FourCC, from window: ByteWindow) throws(Interruption) {
        if parent == "ilst" { return try readItem(box, from: window) }
        if box.type == "chpl" {
            let fields = try content(box, limit: Self.longestChapterList, from: window)
            movie.tags.chapters = Self.chapters(fields)
        } else if Self.texts.contains(box.type), box.bodyLength <= Self.longestTag {
            // QuickTime: the length of the text, its language, the text.
            var fields = try content(box, limit: Self.longestTag, from: window)
            guard let length = fields.number(2), fields.skip(2), let text = fields.bytes(min(length, fields.rest.count))
            else { return }
            movie.tags.set(box.type, to: String(decoding: text, as: UTF8.self))
        }
    }

    private static let texts: Set<FourCC> = ["©nam", "©ART", "©alb"]

    /// Reads the names of the items that follow, which have numbers from 1 on instead of types. FFmpeg writes its own
    /// names without a domain. Source: QuickTime File Format, "Metadata item keys atom".
    mutating func readKeys(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        guard box.bodyLength <= Self.longestTag else { return }
        let list = try content(box, limit: Self.longestTag, from: window).rest.dropFirst(8)
        for (index, key) in BoxSequence(list).enumerated() where key.type == "mdta" {
            let name = String(decoding: key.body, as: UTF8.self)
            let domain = name.hasPrefix(Self.domain) ? Self.domain.count : 0
            keys[FourCC(rawValue: UInt32(index + 1))] = name.dropFirst(domain).uppercased()
        }
    }

    private static let domain = "com.apple.quicktime."
    private static let keyedTypes: [String: FourCC] = [
        "TITLE": "©nam", "ARTIST": "©ART", "ALBUM": "©alb", "ARTWORK": "covr", "REPLAYGAIN_TRACK_GAIN": "----",
        "R128_TRACK_GAIN": "----",
    ]

    private mutating func readItem(_ box: BoxHeader, from window: ByteWindow) throws(Interruption) {
        let key = keys[box.type]
        let type = key.flatMap { Self.keyedTypes[$0] } ?? box.type
        let isCover = type == "covr"
        guard isCover || type == "----" || Self.texts.contains(type),
            box.bodyLength <= (isCover ? coverLimit : Self.longestTag)
        else { return }
        let item = BoxSequence(try content(box, limit: box.bodyLength, from: window).rest)
        guard let data = item.first("data"), data.count >= 8 else { return }
        let kind = data.dropFirst(1).prefix(3).reduce(0) { $0 << 8 | Int($1) }
        let value = data.dropFirst(8)
        if isCover {
            let artwork = AudioMetadata.Artwork(bytes: Array(value), claimed: Self.imageTypes[kind] ?? "")
            movie.tags.metadata.artwork = movie.tags.metadata.artwork ?? artwork
        } else if type == "----" {
            let comment = item.first("name").map { String(decoding: $0.dropFirst(4), as: UTF8.self) }
            guard let name = key ?? comment else { return }
            movie.tags.set(comment: name, to: Self.text(value, kind))
        } else {
            movie.tags.set(type, to: Self.text(value, kind))
        }
    }

    /// Well-known types of values. Source: QuickTime File Format, "Well-known types".
    private static let imageTypes = [13: "image/jpeg", 14: "image/png", 27: "image/bmp"]
    private static let utf16 = 2

    private static func text(_ bytes: ArraySlice<UInt8>, _ kind: Int) -> String {
        kind == utf16 ? ByteFields(bytes).utf16() : String(decoding: bytes, as: UTF8.self)
    }

    /// Parses `chpl`: version 0 has a count of one byte. Version 1 has a reserved byte and a count of four bytes, which
    /// writers with at most 255 chapters see as four reserved bytes and a count of one. Each chapter has a start in
    /// 100 ns, the length of its title in one byte, and the title. Source: no specification; the boxes that Nero, mp4v2
    /// and FFmpeg write.
    private static func chapters(_ content: ByteFields) -> [Chapter] {
        var fields = content
        guard let version = fields.number(4), fields.skip(version >> 24 == 0 ? 0 : 1),
            let count = fields.number(version >> 24 == 0 ? 1 : 4)
        else { return [] }
        var chapters: [Chapter] = []
        while chapters.count < min(count, ChapterList.mostChapters), let start = fields.unsigned(isLong: true),
            let length = fields.number(1), let bytes = fields.bytes(length)
        {
            let (seconds, rest) = start.quotientAndRemainder(dividingBy: 10_000_000)
            var title = String(decoding: bytes, as: UTF8.self)
            // The cut of a longer title may divide a character.
            if length == 255, title.unicodeScalars.last == "\u{FFFD}" { title.unicodeScalars.removeLast() }
            chapters.append(Chapter(start: .seconds(seconds) + .nanoseconds(rest * 100), title: title))
        }
        return chapters
    }
}

extension MP4Tags {
    /// Sets a text that is not yet known.
    fileprivate mutating func set(_ type: FourCC, to text: String) {
        guard !text.isEmpty else { return }
        switch type {
        case "©nam": metadata.title = metadata.title ?? text
        case "©ART": metadata.artist = metadata.artist ?? text
        default: metadata.album = metadata.album ?? text
        }
    }

    /// Sets a comment of iTunes, whatever its domain: programs state different ones for the gain.
    fileprivate mutating func set(comment name: String, to text: String) {
        guard name != "iTunSMPB" else { return gapless = MP4Gapless(text) }
        gains.add(name.uppercased(), text)
    }
}
