// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The file name extensions by which other programs recognize a container.
enum AudioFileEnding {
    /// The extensions of each container that has several: a file may have any of its container's extensions.
    private static let largeFamilies: [[String]] = [
        ["mp3", "mp2", "mpga"], ["m4a", "mp4", "m4b", "m4v", "mov", "3gp"], ["ogg", "oga", "opus", "ogv"],
        ["aiff", "aif"], ["webm", "mka", "mkv"], ["wma", "wmv", "asf"],
    ]
    private static let families =
        largeFamilies
        + Set(["aac", "flac", "wav", "w64"] + UnplayableFormat.fileEndings).subtracting(largeFamilies.joined())
        .sorted().map { [$0] }

    static let standard = "mp3"
    static let all = families.flatMap(\.self)

    /// Returns the extension for a media type; `nil` if the type is unknown.
    /// - Parameter type: A media type as feeds declare it, including parameters.
    static func ofType(_ type: String) -> String? {
        let name = type.lowercased().prefix { $0 != ";" && $0 != " " }
        let parts = name.split(separator: "/")
        guard parts.count == 2, ["audio", "video", "application"].contains(parts[0]) else { return nil }
        let isVideo = parts[0] == "video"
        let format = parts[1].hasPrefix("x-") ? parts[1].dropFirst(2) : parts[1]
        switch format {
        case "mpeg", "mp3", "mpeg3", "mpg": return isVideo ? nil : "mp3"
        case "mp4", "mpeg4": return isVideo ? "mp4" : "m4a"
        case "quicktime": return "mov"
        case "ogg": return isVideo ? "ogv" : "ogg"
        case "vorbis": return "ogg"
        case "aacp": return "aac"
        case "wave", "vnd.wave": return "wav"
        case "ms-wma": return "wma"
        default: return all.contains(String(format)) ? String(format) : nil
        }
    }

    /// Returns the extension of a file's container; `nil` if the bytes do not identify it.
    /// - Parameter bytes: The beginning of a file.
    static func ofContent(_ bytes: [UInt8]) -> String? {
        let text = { (offset: Int) in String(decoding: bytes.dropFirst(offset).prefix(4), as: UTF8.self) }
        switch text(0) {
        case "OggS": return ofOgg(bytes)
        case "fLaC": return "flac"
        case "RIFF", "RF64", "BW64": return text(8) == "WAVE" ? "wav" : nil
        case "riff": return "w64"
        case "FORM": return text(8).hasPrefix("AIF") ? "aiff" : nil
        default: break
        }
        if text(4) == "ftyp" { return ofBrand(text(8)) }
        if case .found(let format) = UnplayableFormat.search(bytes, isComplete: false) { return format.fileEnding }
        guard bytes.count > 1, bytes[0] == 0xFF, bytes[1] & 0xE0 == 0xE0 else { return nil }
        // The two layer bits are 0 only in ADTS (ISO/IEC 13818-7 clause 6.2).
        return bytes[1] & 0xF6 == 0xF0 ? "aac" : "mp3"
    }

    /// True if a file with these first bytes may have this extension.
    static func fits(_ ending: String, _ bytes: [UInt8]) -> Bool {
        guard let own = ofContent(bytes) else { return true }
        return families.contains { $0.contains(own) && $0.contains(ending) }
    }

    private static func ofBrand(_ brand: String) -> String {
        switch brand {
        case "M4A ": "m4a"
        case "M4B ": "m4b"
        case "M4V ": "m4v"
        case "qt  ": "mov"
        default: "mp4"
        }
    }

    /// Returns the extension for the codec that the first packet of the first page names (RFC 3533 section 6).
    private static func ofOgg(_ bytes: [UInt8]) -> String {
        let packet = bytes.dropFirst(28).prefix(8)
        if packet.starts(with: "OpusHead".utf8) { return "opus" }
        if packet.dropFirst().starts(with: "theora".utf8) { return "ogv" }
        return packet.dropFirst().starts(with: "FLAC".utf8) ? "oga" : "ogg"
    }
}
