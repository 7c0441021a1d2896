// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import Playback
import TerminalInterface

extension ItemChapters {
    /// - Parameter json: the event `chapters`.
    init?(_ json: JSONValue) {
        guard let source = ChapterList.Source(json["source"]?.string) else { return nil }
        self.init(
            (json["chapters"]?.elements ?? []).compactMap { Chapter($0) }, from: source,
            isApproximate: json["approximate"]?.bool ?? false,
            hidden: (json["hidden"]?.elements ?? []).compactMap { RemoteStatus.span($0) })
    }

    /// Creates a list of the playing chapter only.
    /// - Parameter json: the value of `chapter` in `player.status`, which does not name the source.
    init?(playing json: JSONValue) {
        guard let chapter = Chapter(json) else { return nil }
        self.init([chapter], from: .inFile, isApproximate: json["approximate"]?.bool ?? false)
    }
}

extension ItemChapters.Place {
    /// - Parameter json: the event `chapter`; without a chapter, its keys are `null`.
    init?(_ json: JSONValue) {
        guard let number = json["number"]?.integer, let count = json["count"]?.integer, let chapter = Chapter(json)
        else { return nil }
        self.init(number: Int(clamping: number), count: Int(clamping: count), chapter: chapter)
    }
}

extension Chapter {
    fileprivate init?(_ json: JSONValue) {
        guard let start = json.seconds("start") else { return nil }
        let picture = json["picture"].flatMap { StoredPicture($0) }.map { Image.stored($0) }
        self.init(
            start: start, end: json.seconds("end"), title: json["title"]?.string, url: json["url"]?.string,
            image: json["image"]?.string.map { Image.url($0) } ?? picture)
    }
}

extension StoredPicture {
    fileprivate init?(_ json: JSONValue) {
        guard let offset = json["offset"]?.integer, let length = json["length"]?.integer, offset >= 0, length >= 0,
            length <= Int64.max - offset
        else { return nil }
        self.init(
            range: offset..<(offset + length), mimeType: json["type"]?.string ?? "",
            isUnsynchronized: json["unsynchronized"]?.bool ?? false)
    }
}
