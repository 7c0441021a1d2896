// SPDX-License-Identifier: GPL-3.0-or-later

/// The times of marks and settings: when the data of two machines is merged, the later value counts.
enum SchemaOfTimes {
    static let sql = """
        ALTER TABLE playback ADD COLUMN marked_at INTEGER;
        ALTER TABLE setting ADD COLUMN changed_at INTEGER;
        """
}
