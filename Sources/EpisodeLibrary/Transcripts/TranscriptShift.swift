// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import SQLDatabase

extension Library {
    /// Returns the listener's correction of the times of an episode's transcript; `nil` if there is none.
    public func transcriptShift(of episode: Int64) throws(LibraryError) -> Duration? {
        let shift = try read { db in try TranscriptShift.fetch(episode, db) }
        return shift == .zero ? nil : shift
    }

    /// Moves the times of an episode's transcript, as an act that can be undone.
    /// - Parameter shift: the time that is added to each time of the document; zero ends the correction.
    public func shiftTranscript(of episode: Int64, by shift: Duration) throws(LibraryError) {
        try act(.shiftTranscript, try self.episode(episode).name) { db in
            if shift == .zero {
                return try db.execute(sql: "DELETE FROM transcript_shift WHERE episode = ?", arguments: [episode])
            }
            try db.execute(
                sql: """
                    INSERT INTO transcript_shift (episode, shift) VALUES (:episode, :shift)
                    ON CONFLICT (episode) DO UPDATE SET shift = :shift
                    """, arguments: ["episode": episode, "shift": shift.microseconds])
        }
    }
}

enum TranscriptShift {
    /// Returns the listener's correction of the times; zero if there is none.
    static func fetch(_ episode: Int64, _ db: Database) throws -> Duration {
        let shift = try Int64.fetchOne(
            db.cachedStatement(sql: "SELECT shift FROM transcript_shift WHERE episode = ?"), arguments: [episode])
        return .microseconds(shift ?? 0)
    }
}

extension Transcript {
    /// Returns the transcript with later times, or with earlier ones if the shift is negative.
    func shifted(by shift: Duration) -> Transcript {
        guard shift != .zero, isTimed else { return self }
        let cues = cues.map { cue in
            var cue = cue
            cue.time = cue.time.map { $0.lowerBound + shift..<$0.upperBound + shift }
            return cue
        }
        return Transcript(cues: cues, language: language)
    }
}
