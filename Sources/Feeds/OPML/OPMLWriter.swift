// SPDX-License-Identifier: GPL-3.0-or-later

extension OPML {
    /// The list as an OPML 2.0 document (UTF-8). Entries keep their order; adjacent entries of a group share one
    /// outline. Parsing the document gives the same entries.
    public var document: [UInt8] {
        var writer = OPMLWriter()
        writer.write(self)
        return writer.bytes
    }
}

private struct OPMLWriter {
    private(set) var bytes: [UInt8] = []
    private var openGroups: [String] = []

    mutating func write(_ list: OPML) {
        line("<?xml version=\"1.0\" encoding=\"UTF-8\"?>", depth: 0)
        line("<opml version=\"2.0\">", depth: 0)
        line("<head>", depth: 1)
        if let title = list.title { line("<title>\(Self.escaped(title))</title>", depth: 2) }
        line("</head>", depth: 1)
        line("<body>", depth: 1)
        for entry in list.entries { write(entry) }
        move(to: [])
        line("</body>", depth: 1)
        line("</opml>", depth: 0)
    }

    private mutating func write(_ entry: OPML.Entry) {
        move(to: entry.group)
        let text = Self.escaped(entry.title ?? entry.url)
        let title = entry.title == nil ? "" : " title=\"\(text)\""
        let address = Self.escaped(entry.url)
        line("<outline type=\"rss\" text=\"\(text)\"\(title) xmlUrl=\"\(address)\"/>", depth: 2 + openGroups.count)
    }

    private mutating func move(to groups: [String]) {
        let shared = zip(openGroups, groups).prefix { $0 == $1 }.count
        while openGroups.count > shared {
            openGroups.removeLast()
            line("</outline>", depth: 2 + openGroups.count)
        }
        for group in groups.dropFirst(shared) {
            line("<outline text=\"\(Self.escaped(group))\">", depth: 2 + openGroups.count)
            openGroups.append(group)
        }
    }

    private mutating func line(_ text: String, depth: Int) {
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
        bytes.append(contentsOf: text.utf8)
        bytes.append(UInt8(ascii: "\n"))
    }

    private static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "\n", "\t", "\r": escaped += " "
            // Characters that XML does not allow.
            case "\0"..<" ", "\u{FFFE}", "\u{FFFF}": break
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
