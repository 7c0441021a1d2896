// SPDX-License-Identifier: GPL-3.0-or-later

/// What of an enclosure's address says which audio it is: without scheme, query, fragment and the counting services
/// that stand before the real address.
enum EnclosureIdentity {
    /// `https://count.example/e/host.example/a.mp3?t=1` → `host.example/a.mp3`.
    /// - Returns: `nil` where nothing is left.
    static func text(_ url: String) -> String? {
        let address = withoutScheme(url).prefix { $0 != "?" && $0 != "#" }
        let segments = address.split(separator: "/", omittingEmptySubsequences: true)
        guard let place = segments.indices.last(where: { $0 + 1 < segments.endIndex && isHost(segments[$0], at: $0) })
        else { return nil }
        var host = segments[place].lowercased()
        if host.hasPrefix("www.") { host.removeFirst(4) }
        return ([host] + segments[(place + 1)...].map(String.init)).joined(separator: "/")
    }

    private static func withoutScheme(_ url: String) -> Substring {
        guard let colon = url.firstIndex(of: ":"), url[colon...].hasPrefix("://") else { return url[...] }
        let rest = url[url.index(colon, offsetBy: 3)...]
        // A name and a password are no part of it either.
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        return authority.lastIndex(of: "@").map { rest[rest.index(after: $0)...] } ?? rest
    }

    /// The first segment is one; a later one is where it looks like one: counting services put the address that they
    /// lead to behind their own. `redirect.mp3` is the name of such a service's script.
    private static func isHost(_ segment: Substring, at place: Int) -> Bool {
        guard place > 0 else { return true }
        let labels = segment.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 2, let last = labels.last?.lowercased(), last.count >= 2,
            last.allSatisfy({ ("a"..."z").contains($0) }), !fileEndings.contains(last)
        else { return false }
        return labels.allSatisfy { label in
            !label.isEmpty && label.utf8.allSatisfy { $0 == UInt8(ascii: "-") || isLetterOrDigit($0) }
        }
    }

    private static func isLetterOrDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: false
        }
    }

    /// Of letters alone, like the ends of hosts' names.
    private static let fileEndings: Set<String> = [
        "aac", "ogg", "oga", "opus", "flac", "wav", "mov", "php", "asp", "aspx", "html", "htm", "jsp", "cgi", "json",
        "xml", "do",
    ]
}
