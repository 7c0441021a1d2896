// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
package import Media
import Playback

/// Chapters as JSON: docs/json-events.md, docs/json-library.md.
enum ChapterJSON {
    /// Returns the members of the event with all chapters of an item.
    static func list(_ item: PlaybackItem, _ chapters: ItemChapters?) -> [JSONValue.Member] {
        [
            EventJSON.number(item),
            .init("source", .optional(chapters) { .string(name($0.source)) }),
            .init("approximate", .bool(chapters?.isApproximate ?? false)),
            .init("chapters", .array((chapters?.chapters ?? []).map { .object(members($0)) })),
            .init("hidden", spans(chapters?.hidden ?? [])),
        ]
    }

    /// Returns spans of chapters that the table of contents hides. A span without an end lasts to the end of the item.
    static func spans(_ spans: [Range<Duration>]) -> JSONValue {
        .array(
            spans.map { span in
                let end = span.upperBound == ItemChapters.never ? nil : span.upperBound
                return .object([
                    .init("start", .seconds(span.lowerBound)), .init("end", .optional(end, JSONValue.seconds)),
                ])
            })
    }

    /// Returns the members of the event of another chapter.
    static func place(_ item: PlaybackItem, _ place: ItemChapters.Place?) -> [JSONValue.Member] {
        let keys = ["number", "count", "start", "end", "title", "url", "image", "picture"]
        return [EventJSON.number(item)] + (place.map { numbered($0) } ?? keys.map { JSONValue.Member($0, .null) })
    }

    /// Returns the members of a chapter with its number.
    static func numbered(_ place: ItemChapters.Place) -> [JSONValue.Member] {
        [.init("number", .integer(Int64(place.number))), .init("count", .integer(Int64(place.count)))]
            + members(place.chapter)
    }

    /// Returns the members of a chapter.
    /// - Parameter address: returns the form of an address to write.
    static func members(_ chapter: Chapter, address: (String) -> String = { PublicAddress.shown($0) })
        -> [JSONValue.Member]
    {
        [
            .init("start", .seconds(chapter.start)),
            .init("end", .optional(chapter.end, JSONValue.seconds)),
            .init("title", .optional(chapter.title, JSONValue.string)),
            .init("url", .optional(chapter.url.map(address), JSONValue.string)),
            .init("image", .optional(chapter.imageURL.map(address), JSONValue.string)),
            .init("picture", picture(chapter.image)),
        ]
    }

    /// Returns the place of a picture in the audio file.
    private static func picture(_ image: Chapter.Image?) -> JSONValue {
        guard case .stored(let picture) = image else { return .null }
        return .object([
            .init("offset", .integer(picture.range.lowerBound)),
            .init("length", .integer(picture.range.upperBound - picture.range.lowerBound)),
            .init("type", .string(picture.mimeType)),
            .init("unsynchronized", .bool(picture.isUnsynchronized)),
        ])
    }

    static func name(_ source: ChapterList.Source) -> String {
        switch source {
        case .inFile: "file"
        case .json: "json"
        case .podlove: "podlove"
        case .notes: "notes"
        }
    }
}

extension ChapterList.Source {
    /// - Parameter name: the value of `source`.
    package init?(_ name: String?) {
        guard let source = Self.allCases.first(where: { ChapterJSON.name($0) == name }) else { return nil }
        self = source
    }
}
