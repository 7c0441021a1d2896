// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
import SQLDatabase

extension Library {
    /// Returns the settings for all podcasts, by key.
    public func settings() throws(LibraryError) -> [String: String] { try settings(numbered: 0) }

    /// Returns the settings of one podcast, by key.
    public func settings(of podcast: Int64) throws(LibraryError) -> [String: String] {
        try settings(numbered: podcast)
    }

    /// The condition of a podcast of music. Source: podcast namespace, `podcast:medium`, whose value is stored in lower
    /// case.
    private static let musicCondition = "medium IN ('music', 'musicl')"

    /// Returns true if a podcast has music, according to its feed.
    func isMusic(_ podcast: Int64) throws(LibraryError) -> Bool {
        try read { db in
            let sql = "SELECT count(*) FROM podcast WHERE id = ? AND \(Library.musicCondition)"
            return try Int64.fetchOne(db, sql: sql, arguments: [podcast]) == 1
        }
    }

    /// Returns all settings together, to determine the effective settings of each podcast.
    public func allSettings() throws(LibraryError) -> SettingsOfAll {
        try read { db in
            var settings: [Int64: [String: String]] = [:]
            for row in try Row.fetchAll(db, sql: "SELECT podcast, key, value FROM setting") {
                let podcast: Int64 = try row[0]
                let key: String = try row[1]
                let value: String = try row[2]
                settings[podcast, default: [:]][key] = value
            }
            let music = try Int64.fetchAll(db, sql: "SELECT id FROM podcast WHERE \(Library.musicCondition)")
            return SettingsOfAll(own: settings, general: settings[0] ?? [:], music: Set(music))
        }
    }

    // The number 0 stands for all podcasts; no podcast has it.
    private func settings(numbered podcast: Int64) throws(LibraryError) -> [String: String] {
        try read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT key, value FROM setting WHERE podcast = ?", arguments: [podcast])
            return try Dictionary(rows.map { (try $0[0] as String, try $0[1] as String) }) { $1 }
        }
    }

    /// Returns the time of each setting's last change, by key, without settings changed by an earlier version of the
    /// program.
    /// - Parameter podcast: the podcast; `nil` returns the times of the settings for all.
    public func settingTimes(of podcast: Int64? = nil) throws(LibraryError) -> [String: UTCTime] {
        try read { db in
            let rows = try Row.fetchAll(
                db, sql: "SELECT key, changed_at FROM setting WHERE podcast = ? AND changed_at IS NOT NULL",
                arguments: [podcast ?? 0])
            return try Dictionary(rows.map { (try $0[0] as String, UTCTime(secondsSince1970: try $0[1])) }) { $1 }
        }
    }

    /// Changes a setting.
    /// - Parameters:
    ///   - value: the new value; `nil` resets the setting, so that the general value or the default applies.
    ///   - podcast: the podcast; `nil` changes the setting for all.
    public func set(_ key: String, to value: String?, for podcast: Int64? = nil) throws(LibraryError) {
        let subject = try podcast.map { id throws(LibraryError) in "\(key) of \(try self.podcast(id).name)" } ?? key
        try act(.set, subject) { db in
            if let value {
                try db.execute(
                    sql: """
                        INSERT INTO setting (podcast, key, value, changed_at) VALUES (?, ?, ?, ?)
                        ON CONFLICT (podcast, key) DO UPDATE
                        SET value = excluded.value, changed_at = excluded.changed_at WHERE value <> excluded.value
                        """, arguments: [podcast ?? 0, key, value, now().secondsSince1970])
            } else {
                try db.execute(
                    sql: "DELETE FROM setting WHERE podcast = ? AND key = ?", arguments: [podcast ?? 0, key])
            }
        }
    }
}
