// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A chapter frame (CHAP). Source: ID3v2 Chapter Frame Addendum 1.0 §3.1; ID3v2.4 frames §4.2.1 (TIT2), 4.3.2 (WXXX),
/// 4.14 (APIC).
struct ID3v2ChapterFrame: Sendable, Equatable {
    /// A place in the audio.
    enum Place: Sendable, Equatable {
        case time(Duration)
        /// The file offset of the first packet.
        case offset(Int64)

        func time(atOffset: (Int64) -> Duration?) -> Duration? {
            switch self {
            case .time(let time): time
            case .offset(let offset): atOffset(offset)
            }
        }
    }

    /// The name by which a table of contents refers to the chapter.
    let identifier: String
    let start: Place
    let end: Place?
    private var title: String?
    private var url: String?
    private var image: Chapter.Image?
    var isListed = true

    private static let mostFrames = 256
    /// The longest text to decode in bytes.
    private static let longestText = 4096

    /// - Returns: `nil` if the frame is cut off or states no start.
    init?(_ frame: ID3v2Frames.Frame, version: UInt8, _ places: inout ID3PicturePlaces) {
        var fields = TagFields(frame.bytes)
        guard let name = fields.terminated(), let startTime = fields.number(4), let endTime = fields.number(4),
            let startOffset = fields.number(4), let endOffset = fields.number(4),
            let start = Self.place(time: startTime, offset: startOffset)
        else { return nil }
        identifier = String(decoding: name, as: UTF8.self)
        self.start = start
        end = Self.place(time: endTime, offset: endOffset)
        for inner in ID3v2Frames(version: version, rest: fields.rest).prefix(Self.mostFrames) {
            switch inner.name {
            case "TIT2": title = title ?? ID3Text.first(of: inner.bytes.prefix(Self.longestText))
            case "WXXX": url = url ?? Self.link(inner.bytes.prefix(Self.longestText))
            case "APIC": image = image ?? Self.image(inner, in: frame, &places)
            default: continue
            }
        }
    }

    /// Returns the chapter; `nil` if the start has no time.
    func chapter(timeAtOffset: (Int64) -> Duration?) -> Chapter? {
        start.time(atOffset: timeAtOffset).map {
            Chapter(
                start: $0, end: end?.time(atOffset: timeAtOffset), title: title, url: url, image: image,
                isInTableOfContents: isListed)
        }
    }

    /// Returns the place that two fields state, in milliseconds and bytes. All bits set mean that a field is unused.
    private static func place(time: Int, offset: Int) -> Place? {
        let unused = 0xFFFF_FFFF
        if time != unused { return .time(.milliseconds(time)) }
        return offset != unused ? .offset(Int64(offset)) : nil
    }

    /// Returns the URL after a description.
    private static func link(_ frame: ArraySlice<UInt8>) -> String? {
        guard let encoding = frame.first.flatMap(ID3Text.Encoding.init) else { return nil }
        let url = ID3Text.split(ID3Text.split(frame.dropFirst(), encoding).after, .latin1).text
        return ID3Text.string(url, .utf8)
    }

    private static func image(
        _ frame: ID3v2Frames.Frame, in chapter: ID3v2Frames.Frame, _ places: inout ID3PicturePlaces
    ) -> Chapter.Image? {
        guard let picture = ID3Picture(frame.bytes, isShort: false), !picture.bytes.isEmpty else { return nil }
        guard picture.isLink else { return places.picture(picture, of: frame, in: chapter).map { .stored($0) } }
        return ID3Text.string(picture.bytes.prefix(longestText), .utf8).map { .url($0) }
    }
}
