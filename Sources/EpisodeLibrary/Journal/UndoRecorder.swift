// SPDX-License-Identifier: GPL-3.0-or-later
import SQLDatabase

/// A recorder of the statements that revert the changes of an act, one for each changed row. SQLite triggers do the
/// recording and exist only during the act, so no act can omit it.
enum UndoRecorder {
    /// The tables with the listener's data. Feed content and server answers are not undone.
    static let tables = [
        "podcast", "credential", "playback", "listened", "bookmark", "queue_entry", "download", "setting", "alias",
        "episode", "episode_notes", "former_address", "transcript_shift", "chapter_document", "smart_queue",
    ]

    /// The columns that are not undone: `indexed` follows from the search index, and `subscribed_at` stays set, so
    /// that the podcast is never mistaken for one that waits for its first document.
    private static let ownAffairs: Set<String> = ["indexed", "subscribed_at"]

    /// Runs `body` and records the inverse of its changes.
    static func recording<Value>(_ db: Database, act: Int64, _ body: () throws -> Value) throws -> Value {
        var triggers: [String] = []
        for table in tables {
            let columns = try db.columns(in: table)
            let keys = try db.primaryKey(table)
            for (name, sql) in statements(table, columns, keys: keys, act: act) {
                try db.execute(sql: sql)
                triggers.append(name)
            }
        }
        let value = try body()
        for name in triggers { try db.execute(sql: "DROP TRIGGER temp.\(name)") }
        return value
    }

    /// Adds a statement to the inverse of the current act.
    static func add(_ statement: String, _ db: Database) throws {
        try db.execute(
            sql: "INSERT INTO act_inverse (act, statement) SELECT max(id), ? FROM act", arguments: [statement])
    }

    private static func statements(
        _ table: String, _ columns: [String], keys: [String], act: Int64
    ) -> [(name: String, sql: String)] {
        let watched = columns.filter { !ownAffairs.contains($0) }
        let hasChanged = watched.map { "old.\($0) IS NOT new.\($0)" }.joined(separator: " OR ")
        let events = [
            // The last statement runs first.
            ("INSERT", "", (table == "playback" ? [unmarking] : []) + [removal(table, watched, keys)]),
            ("UPDATE", "WHEN \(hasChanged)", [update(table, watched, keys)]),
            ("DELETE", "", [insert(table, columns)]),
        ]
        return events.map { event, when, inverses in
            let name = "inverse_\(table)_\(event.lowercased())"
            let notes = inverses.map { "INSERT INTO act_inverse (act, statement) VALUES (\(act), \($0));" }
            let sql = """
                CREATE TEMP TRIGGER \(name) AFTER \(event) ON main.\(table) \(when)
                BEGIN \(notes.joined(separator: " ")) END
                """
            return (name, sql)
        }
    }

    /// Removes a mark that the act set, even if the episode was played since; its row then stays.
    private static let unmarking = """
        'UPDATE playback SET finished_at = NULL WHERE episode IS ' || quote(new.episode) || ' AND finished_at IS '
            || quote(new.finished_at)
        """

    /// Deletes an inserted row that has not changed since. A podcast is unsubscribed instead, and a download is moved
    /// to the trash, because its files exist. A bookmark is deleted also after playback has corrected its time.
    private static func removal(_ table: String, _ columns: [String], _ keys: [String]) -> String {
        switch table {
        case "podcast": "'UPDATE podcast SET unsubscribed_at = \(Library.departure) WHERE ' || \(condition(keys))"
        case "download": "'UPDATE download SET removed_at = \(Library.stamp) WHERE ' || \(condition(keys))"
        case "bookmark": "'DELETE FROM bookmark WHERE ' || \(condition(keys + ["episode"]))"
        default: "'DELETE FROM \(table) WHERE ' || \(condition(columns))"
        }
    }

    /// Returns the condition that these columns have their current values.
    private static func condition(_ columns: [String]) -> String {
        columns.map { "'\($0) IS ' || quote(new.\($0))" }.joined(separator: " || ' AND ' || ")
    }

    /// The columns that are one value: an estimated position counts from its anchor.
    private static let placeColumns = ["position", "anchor"]

    /// Reverts only the columns that the act changed, and only if they still have the act's values: later changes are
    /// kept.
    private static func update(_ table: String, _ columns: [String], _ keys: [String]) -> String {
        let first = keys.first ?? "rowid"
        let changed = columns.map { column in
            let isPlace = columns.contains("anchor") && placeColumns.contains(column)
            let isUnchanged = (isPlace ? placeColumns : [column])
                .map { "\($0) IS ' || quote(new.\($0)) || '" }.joined(separator: " AND ")
            let back = "', \(column) = iif(\(isUnchanged), ' || quote(old.\(column)) || ', \(column))'"
            return "iif(old.\(column) IS new.\(column), '', \(back))"
        }
        return "'UPDATE \(table) SET \(first) = \(first)' || \(changed.joined(separator: " || ")) "
            + "|| ' WHERE ' || \(condition(keys))"
    }

    /// Restores a deleted row, unless the episode or podcast that owns it has been deleted permanently.
    private static func insert(_ table: String, _ columns: [String]) -> String {
        let values = columns.map { "quote(old.\($0))" }.joined(separator: " || ', ' || ")
        let owner = ["episode", "podcast"].first { columns.contains($0) && table != "setting" }
        let isThere = owner.map { "' WHERE EXISTS (SELECT 1 FROM \($0) WHERE id = ' || quote(old.\($0)) || ')'" }
        return "'INSERT OR REPLACE INTO \(table) (\(columns.joined(separator: ", "))) SELECT ' || \(values)"
            + (isThere.map { " || " + $0 } ?? "")
    }

    // MARK: Parsing statements

    /// Parses an inverse statement.
    /// - Returns: the table in which the statement restores a row or a value; `nil` if the statement removes one.
    static func tableRestored(by statement: String) -> String? {
        let words = statement.split(separator: " ", maxSplits: 6)
        switch words.first {
        case "INSERT": return words.count > 4 ? String(words[4]) : nil
        // Matches the beginning that `update` writes: the key is set to itself.
        case "UPDATE": return words.count > 5 && words[5].hasPrefix(words[3]) ? String(words[1]) : nil
        default: return nil
        }
    }

    /// Returns the rows of a table that were deleted by acts that can still be undone.
    /// - Parameters:
    ///   - act: the act that deleted them; `nil` is any act.
    ///   - value: receives a row, and the time of its act in seconds since 1970.
    static func deletedRows<Value>(
        of table: String, by act: Int64? = nil, _ db: Database, _ value: (Row, Int64) throws -> Value
    ) throws -> [Value] {
        let start = "INSERT OR REPLACE INTO \(table) "
        let deletions = try Row.fetchAll(
            db,
            sql: """
                SELECT substr(statement, length(:start) + 1), act.at
                FROM act_inverse JOIN act ON act.id = act_inverse.act
                WHERE act.undone_at IS NULL AND (:act IS NULL OR act.id = :act)
                    AND substr(statement, 1, length(:start)) = :start
                """, arguments: ["start": start, "act": act])
        // Of `(columns) SELECT values WHERE EXISTS (...)`, the columns and the values are the row.
        return try deletions.flatMap { deletion in
            let (statement, time): (String, Int64) = (try deletion[0], try deletion[1])
            guard let values = statement.firstRange(of: ") SELECT "),
                let owner = statement.ranges(of: " WHERE EXISTS (").last
            else { return [Value]() }
            let columns = statement[..<values.lowerBound] + ")"
            let row = "SELECT " + statement[values.upperBound..<owner.lowerBound]
            return try Row.fetchAll(db, sql: "WITH deleted\(columns) AS (\(row)) SELECT * FROM deleted")
                .map { try value($0, time) }
        }
    }

    /// Returns the episodes that are affected by acts that can still be undone.
    static func episodes(_ db: Database) throws -> Set<Int64> {
        let statements = try Row.fetchCursor(
            db,
            sql: "SELECT statement FROM act_inverse JOIN act ON act.id = act_inverse.act WHERE act.undone_at IS NULL")
        var episodes: Set<Int64> = []
        while let row = try statements.next() {
            let statement: String = try row[0]
            for mark in ["episode IS ", "episode WHERE id = "] {
                for place in statement.ranges(of: mark) {
                    let digits = statement[place.upperBound...].prefix { $0.isASCII && $0.isNumber }
                    if let episode = Int64(digits) { episodes.insert(episode) }
                }
            }
        }
        return episodes
    }
}
