// SPDX-License-Identifier: GPL-3.0-or-later

/// The chapters that the tables of contents (CTOC) of a tag list, perhaps through other tables. Source: ID3v2 Chapter
/// Frame Addendum 1.0 §3.2.
struct ID3TableOfContents {
    private struct Table {
        let identifier: String
        let isTopLevel: Bool
        let children: [String]

        /// True if the table may have no room for further children, because it counts them in one byte.
        var isFull: Bool { children.count == 255 }
    }

    /// The listed chapters; `nil` if the tables do not tell.
    private var listed: Set<String>?

    private static let mostTables = 10_000
    private static let mostChildren = 100_000

    /// - Parameters:
    ///   - frames: the contents of the frames.
    ///   - chapters: the identifiers of all chapters.
    init(_ frames: [ArraySlice<UInt8>], chapters: Set<String>) {
        var tables: [String: Table] = [:]
        var childrenLeft = Self.mostChildren
        let known = chapters.union(frames.prefix(Self.mostTables).compactMap(Self.identifier))
        for frame in frames.prefix(Self.mostTables) {
            guard let table = Self.table(frame, known, most: childrenLeft) else { continue }
            childrenLeft -= table.children.count
            tables[table.identifier] = tables[table.identifier] ?? table
        }
        listed = Self.reached(in: tables)
        if listed?.isDisjoint(with: chapters) == true { listed = nil }
    }

    /// Returns true for a chapter in the table of contents, and for all chapters of a tag without one.
    func lists(_ chapter: String) -> Bool { listed?.contains(chapter) ?? true }

    private static func identifier(_ frame: ArraySlice<UInt8>) -> String? {
        var fields = TagFields(frame)
        return fields.terminated().map { String(decoding: $0, as: UTF8.self) }
    }

    /// Parses a table. With more than 255 children, the count has overflowed; the names of chapters that follow the
    /// counted children are children too.
    private static func table(_ frame: ArraySlice<UInt8>, _ known: Set<String>, most: Int) -> Table? {
        var fields = TagFields(frame)
        guard let name = fields.terminated(), let flags = fields.number(1), let count = fields.number(1) else {
            return nil
        }
        var children: [String] = []
        while children.count < most, let child = fields.terminated().map({ String(decoding: $0, as: UTF8.self) }),
            children.count < count || known.contains(child)
        {
            children.append(child)
        }
        return Table(
            identifier: String(decoding: name, as: UTF8.self), isTopLevel: flags & 2 != 0, children: children)
    }

    /// Returns everything that the top-level tables list; without a top level, everything that any table lists.
    private static func reached(in tables: [String: Table]) -> Set<String>? {
        let roots = tables.values.filter(\.isTopLevel)
        var waiting = roots.isEmpty ? Array(tables.values) : roots
        var reached = Set(waiting.map(\.identifier))
        while let table = waiting.popLast() {
            if table.isFull { return nil }
            for child in table.children where reached.insert(child).inserted {
                if let inner = tables[child] { waiting.append(inner) }
            }
        }
        return tables.isEmpty ? nil : reached
    }
}
