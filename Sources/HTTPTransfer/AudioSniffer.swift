// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Detects audio, and content that is certainly not audio, by the first bytes of a body, regardless of its media
/// type.
public enum AudioSniffer {
    /// The kind of content that the first bytes indicate.
    public enum ProbeResult: Sendable, Equatable {
        case audio
        /// Other content; the phrase completes "the server sent": "a web page, not audio".
        case foreign(String)
        /// Undecided; the parser decides.
        case unclear
    }

    /// The number of bytes that suffice in every case.
    public static let prefixLength = 512

    /// Classifies a body by its first bytes.
    public static func look(at bytes: some Collection<UInt8>) -> ProbeResult {
        let head = Array(bytes.prefix(prefixLength))
        if isAudio(head) { return .audio }
        if let name = foreignSignatures.first(where: { head.starts(with: $0.bytes) })?.name {
            return .foreign("\(name), not audio")
        }
        return isMarkup(head) ? .foreign("a web page, not audio") : .unclear
    }
}

extension AudioSniffer {
    private static func isAudio(_ head: [UInt8]) -> Bool {
        if audioSignatures.contains(where: { head.starts(with: $0.utf8) }) { return true }
        // Wave64, whose first GUID begins with these bytes.
        if head.starts(with: Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11]) { return true }
        // Playback names the format that it cannot play.
        if case .found = UnplayableFormat.search(head, isComplete: false) { return true }
        if isISOMedia(head) { return true }
        // Eleven set bits begin an MPEG or ADTS frame. FF FE also begins UTF-16 text, so it is left to the parser,
        // like FF FF, which is the unused Layer I.
        guard head.count >= 2, head[0] == 0xFF else { return false }
        return head[1] & 0xE0 == 0xE0 && head[1] < 0xFE
    }

    /// Returns true for ISO base media and QuickTime: a box begins with its size, then its type. Boxes besides `ftyp`
    /// are recognized only with a size that is no text.
    private static func isISOMedia(_ head: [UInt8]) -> Bool {
        guard head.count >= 8 else { return false }
        let type = String(decoding: head[4..<8], as: UTF8.self)
        return type == "ftyp" || head[0] < 0x09 && firstBoxes.contains(type)
    }

    private static let firstBoxes: Set = ["moov", "mdat", "free", "skip", "wide", "pnot", "styp", "moof", "sidx"]

    private static let audioSignatures = [
        "ID3", "OggS", "fLaC", "RIFF", "RF64", "BW64", "FORM", "APETAGEX",
    ]

    private static let foreignSignatures: [(bytes: [UInt8], name: String)] = [
        ([0x1F, 0x8B], "gzip data"), (Array("PK\u{3}\u{4}".utf8), "a zip archive"),
        (Array("%PDF".utf8), "a PDF document"), ([0x89, 0x50, 0x4E, 0x47], "a picture"),
        ([0xFF, 0xD8, 0xFF], "a picture"), (Array("GIF8".utf8), "a picture"),
    ]

    /// Returns true if the text begins with a tag, a declaration or a comment, after white space and a byte order
    /// mark.
    private static func isMarkup(_ head: [UInt8]) -> Bool {
        let unmarked = head.starts(with: [0xEF, 0xBB, 0xBF]) ? head.dropFirst(3) : head[...]
        let text = unmarked.drop { $0 == 0x20 || 0x09...0x0D ~= $0 }
        guard text.first == UInt8(ascii: "<"), let second = text.dropFirst().first else { return false }
        return second == UInt8(ascii: "!") || second == UInt8(ascii: "?") || second == UInt8(ascii: "/")
            || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= second & 0xDF
    }
}
