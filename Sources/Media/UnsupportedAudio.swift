// SPDX-License-Identifier: GPL-3.0-or-later

/// Names the formats of audio that Earshot cannot play.
public enum UnsupportedAudio {
    /// - Parameter type: a media type, as written in a feed: `audio/x-ms-wma`.
    /// - Returns: a name; `nil` for formats that Earshot plays and for unknown types.
    public static func name(ofMediaType type: String) -> String? {
        if isUnsupported(codecs: type) { return "xHE-AAC" }
        return switch type.lowercased().prefix(while: { $0 != ";" }) {
        case "audio/x-ms-wma", "audio/x-ms-wax", "video/x-ms-wmv", "video/x-ms-asf": "Windows Media"
        case "audio/webm", "video/webm", "audio/x-matroska", "video/x-matroska": "Matroska or WebM"
        case "audio/vnd.rn-realaudio", "audio/x-pn-realaudio", "audio/x-realaudio": "RealAudio"
        case "audio/amr", "audio/amr-wb", "audio/3gpp": "AMR"
        case "audio/speex", "audio/x-speex": "Speex"
        case "audio/ac3", "audio/eac3": "AC-3"
        case "audio/midi", "audio/x-midi": "MIDI"
        case "video/x-msvideo", "video/avi": "AVI"
        default: nil
        }
    }

    /// Returns true if a `codecs` parameter names xHE-AAC. Source: RFC 6381 section 3.3, ISO/IEC 14496-3 table 1.17.
    public static func isUnsupported(codecs: String) -> Bool { codecs.lowercased().contains("mp4a.40.42") }
}
