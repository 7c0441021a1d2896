// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The entries of a comment header that Earshot uses. Sources: Vorbis I section 5.2.2, RFC 7845 section 5.2, RFC 9639
/// section 8.6.
struct VorbisComments: Sendable, Equatable {
    private(set) var metadata = AudioMetadata()
    private(set) var chapters = VorbisChapters()
    private var hasFrontCover = false
    private var gains = GainTags()

    /// The name and the equals sign of an entry with a picture.
    static let pictureName = Array("METADATA_BLOCK_PICTURE=".utf8)

    /// The events that tell the entries.
    var events: [ContainerEvent] {
        var events: [ContainerEvent] = []
        if !metadata.isEmpty { events.append(.metadata(metadata)) }
        let list = chapters.list
        if !list.chapters.isEmpty { events.append(.chapters(ContainerChapters(list))) }
        if let gain = gains.gain { events.append(.gain(gain)) }
        return events
    }

    /// Adds an entry: a name in ASCII without regard to case, an equals sign, a value in UTF-8. The first of several
    /// values counts.
    mutating func add(_ entry: ArraySlice<UInt8>) {
        guard let separator = entry.firstIndex(of: UInt8(ascii: "=")) else { return }
        let value = entry[(separator + 1)...]
        let name = String(decoding: entry[..<separator], as: UTF8.self).uppercased()
        switch name {
        case "TITLE": metadata.title = metadata.title ?? Self.text(value)
        case "ARTIST": metadata.artist = metadata.artist ?? Self.text(value)
        case "ALBUM": metadata.album = metadata.album ?? Self.text(value)
        case "METADATA_BLOCK_PICTURE": PictureBlock(Base64.decoded(value)[...]).map { add($0) }
        default: Self.text(value).map { addText(name, $0) }
        }
    }

    private mutating func addText(_ name: String, _ text: String) {
        gains.add(name, text)
        chapters.add(name, text)
    }

    mutating func add(_ picture: PictureBlock) {
        guard metadata.artwork == nil || picture.isFrontCover && !hasFrontCover else { return }
        metadata.artwork = picture.artwork
        hasFrontCover = picture.isFrontCover
    }

    private static func text(_ value: ArraySlice<UInt8>) -> String? {
        let blank: (UInt8) -> Bool = { $0 <= 0x20 }
        let text = value.drop(while: blank).reversed().drop(while: blank).reversed()
        return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
    }
}
