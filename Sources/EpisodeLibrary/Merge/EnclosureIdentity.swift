// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The part of an enclosure's address that identifies the audio: without scheme, query, fragment and the prefixes of
/// counting services. The code works on bytes, because a refresh calls it a hundred thousand times.
enum EnclosureIdentity {
    private typealias Bytes = Slice<UnsafeBufferPointer<UInt8>>

    /// Returns the identity, for example `https://count.example/e/host.example/a.mp3?t=1` → `host.example/a.mp3`.
    /// - Returns: `nil` if nothing is left.
    static func text(_ url: String) -> String? {
        let url = WebURL(typed: url)
        var address = url.authority + url.path
        return address.withUTF8 { bytes in
            let segments = bytes.split(separator: UInt8(ascii: "/"))
            let last = segments.indices.dropLast().last { $0 == 0 || isHost(segments[$0]) }
            guard let place = last else { return nil }
            var identity = host(segments[place])
            for segment in segments[(place + 1)...] {
                identity.append(UInt8(ascii: "/"))
                identity.append(contentsOf: segment)
            }
            return String(decoding: identity, as: UTF8.self)
        }
    }

    private static func host(_ segment: Bytes) -> [UInt8] {
        let host = segment.map(lowercased)
        return host.starts(with: "www.".utf8) ? Array(host.dropFirst(4)) : host
    }

    /// True if a segment after the first looks like a host: counting services put the target's address after their
    /// own. `redirect.mp3` is the script name of such a service.
    private static func isHost(_ segment: Bytes) -> Bool {
        guard let dot = segment.lastIndex(of: UInt8(ascii: ".")) else { return false }
        let ending = segment[(dot + 1)...]
        guard ending.count >= 2, ending.allSatisfy(isLetter), !isFileEnding(ending) else { return false }
        var hasLabel = false
        for byte in segment {
            guard byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || isLetter(byte) || (0x30...0x39) ~= byte,
                byte != UInt8(ascii: ".") || hasLabel
            else { return false }
            hasLabel = byte != UInt8(ascii: ".")
        }
        return true
    }

    private static func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A) ~= byte | 0x20 }
    private static func lowercased(_ byte: UInt8) -> UInt8 { (0x41...0x5A) ~= byte ? byte | 0x20 : byte }

    /// True for a file name extension that consists only of letters, like the end of a host name.
    private static func isFileEnding(_ ending: Bytes) -> Bool {
        let endings: [StaticString] = [
            "aac", "ogg", "oga", "opus", "flac", "wav", "mov", "php", "asp", "aspx", "html", "htm", "jsp", "cgi",
            "json", "xml", "do",
        ]
        return endings.contains { name in
            name.utf8CodeUnitCount == ending.count
                && name.withUTF8Buffer { ending.map(lowercased).elementsEqual($0) }
        }
    }
}
