// SPDX-License-Identifier: GPL-3.0-or-later

/// Identifies audio and video other than MPEG audio by its first bytes.
public enum UnsupportedAudio {
    /// The number of bytes that suffice in nearly every case; MP4 may name its codec only at the end of the file.
    public static let prefixLength = 64 << 10

    /// - Parameter head: the first bytes of a file, or the first bytes after a tag.
    /// - Returns: a name such as "AAC in MP4"; `nil` for anything that may be MPEG audio.
    public static func name(of head: [UInt8]) -> String? {
        if head.dropFirst(4).starts(with: "ftyp".utf8) { return mp4(head) }
        if head.starts(with: "OggS".utf8) { return ogg(head) }
        if head.starts(with: "RIFF".utf8) || head.starts(with: "RF64".utf8) { return riff(head) }
        if head.starts(with: "FORM".utf8) { return head.dropFirst(8).starts(with: "AIF".utf8) ? "AIFF" : nil }
        if isADTS(head) { return "AAC" }
        return signatures.first { head.starts(with: $0.bytes) }?.name
    }

    /// - Parameter type: a media type, as written in a feed: `audio/x-m4a`.
    /// - Returns: a name; `nil` for MPEG audio and for unknown types.
    public static func name(ofMediaType type: String) -> String? {
        let type = type.lowercased().prefix { $0 != ";" }
        if type.hasPrefix("video/") { return "video" }
        guard type.hasPrefix("audio/") else { return nil }
        return switch type.dropFirst("audio/".count) {
        case "mp4", "x-m4a", "m4a", "x-m4b", "aac", "aacp", "x-aac", "mp4a-latm": "AAC"
        case "ogg", "x-ogg": "Ogg"
        case "opus": "Opus"
        case "flac", "x-flac": "FLAC"
        case "wav", "x-wav", "wave", "vnd.wave": "WAV"
        case "x-ms-wma": "Windows Media"
        default: nil
        }
    }

    private static let signatures: [(bytes: [UInt8], name: String)] = [
        (Array("fLaC".utf8), "FLAC"), (Array("caff".utf8), "CAF"), (Array("wvpk".utf8), "WavPack"),
        (Array("#!AMR".utf8), "AMR"), (Array("MAC ".utf8), "Monkey's Audio"),
        ([0x1A, 0x45, 0xDF, 0xA3], "Matroska or WebM"), ([0x30, 0x26, 0xB2, 0x75], "Windows Media"),
    ]

    /// Source: ISO/IEC 14496-12 section 8.5.2: the sample entries' names; Apple's brands "M4A " and "M4B ".
    private static func mp4(_ head: [UInt8]) -> String {
        let codecs = [
            ("avc1", "video in MP4"), ("hvc1", "video in MP4"), ("hev1", "video in MP4"), ("av01", "video in MP4"),
            ("mp4a", "AAC in MP4"), ("alac", "Apple Lossless in MP4"), ("Opus", "Opus in MP4"), ("fLaC", "FLAC in MP4"),
            ("ac-3", "AC-3 in MP4"), ("ec-3", "AC-3 in MP4"),
        ]
        if let found = codecs.first(where: { contains($0.0, head) }) { return found.1 }
        let brand = head.dropFirst(8).prefix(3)
        return brand.elementsEqual("M4A".utf8) || brand.elementsEqual("M4B".utf8) ? "AAC in MP4" : "MP4"
    }

    private static func ogg(_ head: [UInt8]) -> String {
        let codecs = [
            ("OpusHead", "Opus"), ("\u{1}vorbis", "Vorbis"), ("Speex   ", "Speex"), ("\u{7F}FLAC", "FLAC"),
        ]
        let found = codecs.first { contains($0.0, Array(head.prefix(256))) }
        return (found?.1 ?? "an unknown stream") + " in Ogg"
    }

    /// Returns `nil` for a wave file with MPEG audio: format 0x50 and 0x55 (RFC 2361).
    private static func riff(_ head: [UInt8]) -> String? {
        guard head.dropFirst(8).starts(with: "WAVE".utf8) else { return nil }
        let format = head.dropFirst(20).prefix(2)
        let isMPEG = head.dropFirst(12).starts(with: "fmt ".utf8)
            && (format.elementsEqual([0x50, 0]) || format.elementsEqual([0x55, 0]))
        return isMPEG ? nil : "WAV"
    }

    /// Returns true for two ADTS headers, the second at the position that the first implies. Source: ISO/IEC 13818-7
    /// section 6.2.
    private static func isADTS(_ head: [UInt8]) -> Bool {
        func length(at place: Int) -> Int? {
            guard head.count >= place + 7, head[place] == 0xFF, head[place + 1] & 0xF6 == 0xF0 else { return nil }
            return Int(head[place + 3] & 3) << 11 | Int(head[place + 4]) << 3 | Int(head[place + 5]) >> 5
        }
        guard let first = length(at: 0), first >= 7 else { return false }
        return length(at: first) != nil
    }

    private static func contains(_ name: String, _ bytes: [UInt8]) -> Bool {
        let name = Array(name.utf8)
        guard bytes.count >= name.count else { return false }
        return (0...bytes.count - name.count).contains { start in
            bytes[start] == name[0] && bytes[start..<start + name.count].elementsEqual(name)
        }
    }
}
