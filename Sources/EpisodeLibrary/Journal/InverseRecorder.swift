// SPDX-License-Identifier: GPL-3.0-or-later
import GRDB

/// Notes, for every row that an act changes, the statement that changes it back. SQLite does it itself, by triggers
/// that live only while the act does: no act can forget to be undoable.
enum InverseRecorder {
    /// What belongs to the listener. What feeds say and what servers answer is not undone.
    static let tables = [
        "podcast", "credential", "playback", "listened", "bookmark", "queue_entry", "download", "setting", "alias",
        "episode", "episode_notes",
    ]

    /// Whether an episode is in the search index follows from the index, not from the listener; and that a podcast was
    /// subscribed to stays true, so that it is never taken for one that waits for its first document.
    private static let ownAffairs: Set<String> = ["indexed", "subscribed_at"]

    static func recording<Value>(_ db: Database, act: Int64, _ body: () throws -> Value) throws -> Value {
        var triggers: [String] = []
        for table in tables {
            let columns = try db.columns(in: table).map(\.name)
            let keys = try db.primaryKey(table).columns
            for (name, sql) in statements(table, columns, keys: keys, act: act) {
                try db.execute(sql: sql)
                triggers.append(name)
            }
        }
        let value = try body()
        for name in triggers { try db.execute(sql: "DROP TRIGGER temp.\(name)") }
        return value
    }

    private static func statements(
        _ table: String, _ columns: [String], keys: [String], act: Int64
    ) -> [(name: String, sql: String)] {
        let watched = columns.filter { !ownAffairs.contains($0) }
        let hasChanged = watched.map { "old.\($0) IS NOT new.\($0)" }.joined(separator: " OR ")
        let events = [
            ("INSERT", "", "'\(removal(table)) WHERE ' || \(condition(keys))"),
            ("UPDATE", "WHEN \(hasChanged)", update(table, watched, keys)),
            ("DELETE", "", insert(table, columns)),
        ]
        return events.map { event, when, inverse in
            let name = "inverse_\(table)_\(event.lowercased())"
            let sql = """
                CREATE TEMP TRIGGER \(name) AFTER \(event) ON main.\(table) \(when)
                BEGIN INSERT INTO act_inverse (act, statement) VALUES (\(act), \(inverse)); END
                """
            return (name, sql)
        }
    }

    /// A subscription that is taken back goes into the trash: the listener may have heard some of it meanwhile.
    private static func removal(_ table: String) -> String {
        table == "podcast" ? "UPDATE podcast SET unsubscribed_at = wall_clock()" : "DELETE FROM \(table)"
    }

    /// The row as it is now, by its key.
    private static func condition(_ keys: [String]) -> String {
        keys.map { "'\($0) = ' || quote(new.\($0))" }.joined(separator: " || ' AND ' || ")
    }

    /// Only what the act changed: what changed by itself since then stays.
    private static func update(_ table: String, _ columns: [String], _ keys: [String]) -> String {
        let first = keys.first ?? "rowid"
        let changed = columns.map { "iif(old.\($0) IS new.\($0), '', ', \($0) = ' || quote(old.\($0)))" }
        return "'UPDATE \(table) SET \(first) = ' || quote(old.\(first)) || \(changed.joined(separator: " || ")) "
            + "|| ' WHERE ' || \(condition(keys))"
    }

    private static func insert(_ table: String, _ columns: [String]) -> String {
        let values = columns.map { "quote(old.\($0))" }.joined(separator: " || ', ' || ")
        return "'INSERT OR REPLACE INTO \(table) (\(columns.joined(separator: ", "))) VALUES (' || \(values) || ')'"
    }
}
