// SPDX-License-Identifier: GPL-3.0-or-later

/// The page earshot-protocol(7), from docs/protocol.md, whose reference is that of the tables of ControlProtocol.
enum ProtocolPage {
    static func source(markdown: String, _ release: Release) -> String {
        var page = Roff(title: "earshot-protocol", section: 7, release: release)
        page.section("NAME")
        page.line("earshot\\-protocol \\- control of a playing earshot by other programs")
        page.section("DESCRIPTION")
        for block in Self.blocks(of: markdown) { write(block, &page) }
        page.section("SEE ALSO")
        page.line(".BR earshot (1) ,\n.BR earshot\\-play (1) ,\n.BR earshot\\-events (1)")
        return page.source
    }

    /// Returns the groups of lines between empty lines, without the title of the document.
    private static func blocks(of markdown: String) -> [[Substring]] {
        let lines = markdown.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.split(whereSeparator: \.isEmpty).map(Array.init).filter { !($0[0].hasPrefix("# ")) }
    }

    private static func write(_ block: [Substring], _ page: inout Roff) {
        let first = block[0]
        if first.hasPrefix("### ") {
            page.subsection(String(first.dropFirst(4).filter { $0 != "`" }))
        } else if first.hasPrefix("## ") {
            page.section(first.dropFirst(3).uppercased())
        } else if first.hasPrefix("|") {
            table(block, &page)
        } else if first.hasPrefix("    ") {
            page.example(block.map { $0.dropFirst(4) })
        } else if first.hasPrefix("- ") {
            for item in items(block) { page.entry("\\(bu", item) }
        } else {
            page.paragraph(block.joined(separator: " "))
        }
    }

    /// Joins the lines of each item.
    private static func items(_ block: [Substring]) -> [String] {
        block.reduce(into: []) { items, line in
            if line.hasPrefix("- ") {
                items.append(String(line.dropFirst(2)))
            } else if !items.isEmpty {
                items[items.count - 1] += " " + line.drop { $0 == " " }
            }
        }
    }

    /// Writes the rows below the heading of a table: the first cell, then the others.
    private static func table(_ block: [Substring], _ page: inout Roff) {
        for row in block.dropFirst(2) {
            let cells = row.dropFirst().dropLast().split(separator: "|").map { cell in
                String(cell.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
            }
            guard let name = cells.first else { continue }
            page.entry(Roff.bold(name.filter { $0 != "`" }), cells.dropFirst().joined(separator: ": "))
        }
    }
}
