// SPDX-License-Identifier: GPL-3.0-or-later

/// The samples of a video track whose samples are whole pictures.
enum PictureDescription {
    /// The length of a visual sample entry before its boxes. Source: ISO/IEC 14496-12 section 12.1.3.
    private static let entryLength = 78

    /// Returns the media type that the content of `stsd` states; `nil` for moving pictures.
    static func mediaType(sampleDescriptions bytes: ArraySlice<UInt8>) -> String? {
        guard let (type, entry) = BoxSequence(bytes.dropFirst(8)).first(where: { _ in true }) else { return nil }
        switch type {
        case "jpeg": return "image/jpeg"
        case "png ": return "image/png"
        case "mp4v":
            let descriptor = BoxSequence(entry.dropFirst(entryLength)).first("esds")
            return descriptor.flatMap(ElementaryStreamDescriptor.init).flatMap { mediaTypes[$0.objectType] }
        default: return nil
        }
    }

    /// Source: the MP4 registration authority's object type indications.
    private static let mediaTypes = [0x6C: "image/jpeg", 0x6D: "image/png"]
}
