// SPDX-License-Identifier: GPL-3.0-or-later
import FoundationEssentials
import Media
import SQLDatabase

/// A measurement of the loudness of an episode, after ITU-R BS.1770 and EBU Tech 3342.
public struct StoredLoudness: Sendable, Equatable {
    /// The length in bytes of the measured file: a file of another length is another version.
    public var fileLength: Int64
    /// The hash of the measured file: a file with another hash is another version. `nil` if it was not stored.
    public var fileHash: UInt64?
    /// The seconds of audio that were measured.
    public var seconds: Double
    /// In LUFS; `nil` if the episode is silent.
    public var integrated: Double?
    /// The loudness range in LU.
    public var range: Double?
    /// In dBTP.
    public var truePeak: Double?
    /// The encoded distribution of the loudness.
    public var histogram: [UInt8]

    public init(
        fileLength: Int64, fileHash: UInt64? = nil, seconds: Double, integrated: Double?, range: Double?,
        truePeak: Double?, histogram: [UInt8]
    ) {
        self.fileLength = fileLength
        self.fileHash = fileHash
        self.seconds = seconds
        self.integrated = integrated
        self.range = range
        self.truePeak = truePeak
        self.histogram = histogram
    }
}

extension Library {
    /// Stores the loudness of an episode; does nothing if the episode does not exist.
    public func store(_ loudness: StoredLoudness, of episode: Int64) throws(LibraryError) {
        try write { db in
            try db.execute(
                sql: """
                    INSERT OR REPLACE INTO loudness
                        (episode, file_length, file_hash, measured_at, seconds, integrated, loudness_range, true_peak,
                        histogram)
                    SELECT id, ?, ?, ?, ?, ?, ?, ?, ? FROM episode WHERE id = ?
                    """,
                arguments: [
                    loudness.fileLength, loudness.fileHash.map(Int64.init(bitPattern:)), now().secondsSince1970,
                    loudness.seconds, loudness.integrated, loudness.range, loudness.truePeak,
                    Data(loudness.histogram), episode,
                ])
        }
    }

    /// Returns the stored loudness of an episode; `nil` if it was not measured.
    public func loudness(of episode: Int64) throws(LibraryError) -> StoredLoudness? {
        try read { db in
            try Row.fetchOne(db, sql: "SELECT * FROM loudness WHERE episode = ?", arguments: [episode]).map { row in
                let hash: Int64? = try row["file_hash"]
                return StoredLoudness(
                    fileLength: try row["file_length"], fileHash: hash.map(UInt64.init(bitPattern:)),
                    seconds: try row["seconds"] ?? 0,
                    integrated: try row["integrated"], range: try row["loudness_range"],
                    truePeak: try row["true_peak"], histogram: [UInt8](try row["histogram"] as Data))
            }
        }
    }

    /// Returns the measured episodes of the episode's podcast and their integrated loudness in LUFS, the newest first.
    /// Silent ones have none.
    public func loudnessOfPodcast(
        of episode: Int64, limit: Int
    ) throws(LibraryError) -> [(episode: Int64, integrated: Double)] {
        try read { db in
            let rows = try Row.fetchAll(
                db,
                sql: """
                    SELECT other.id AS episode, integrated FROM episode AS this
                    JOIN episode AS other ON other.podcast = this.podcast
                    JOIN loudness ON loudness.episode = other.id
                    WHERE this.id = ? AND integrated IS NOT NULL ORDER BY other.published DESC, other.id DESC LIMIT ?
                    """, arguments: [episode, limit])
            return try rows.map { row -> (episode: Int64, integrated: Double) in
                (episode: try row["episode"], integrated: try row["integrated"] ?? 0)
            }
        }
    }
}
