// SPDX-License-Identifier: GPL-3.0-or-later

/// When an episode was marked by hand, and when a setting was set: of two machines the later one counts.
enum SchemaOfTimes {
    static let sql = """
        ALTER TABLE playback ADD COLUMN marked_at INTEGER;
        ALTER TABLE setting ADD COLUMN changed_at INTEGER;
        """
}
