// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import SQLDatabase

extension Library {
    /// Returns the listener's corrections of the times of an episode's transcript.
    public func transcriptShifts(of episode: Int64) throws(LibraryError) -> TranscriptShifts {
        try read { db in try TranscriptShift.fetch(episode, db) }
    }

    /// Moves the times of an episode's transcript, as an act that can be undone.
    /// - Parameters:
    ///   - shift: the time that is added to each time of the document; zero ends the correction.
    ///   - time: the time, as corrected so far, from which the times are moved; `nil` is the beginning, where zero ends
    ///     all corrections.
    public func shiftTranscript(
        of episode: Int64, by shift: Duration, from time: Duration? = nil
    ) throws(LibraryError) {
        try act(.shiftTranscript, try self.episode(episode).name) { db in
            let shifts = try TranscriptShift.fetch(episode, db).with(shift, from: time)
            try db.execute(sql: "DELETE FROM transcript_shift WHERE episode = ?", arguments: [episode])
            try TranscriptShift.insert(shifts, episode, db)
        }
    }
}

/// The table of the listener's corrections, which has a row for each step.
enum TranscriptShift {
    static func fetch(_ episode: Int64, _ db: Database) throws -> TranscriptShifts {
        let statement = try db.cachedStatement(
            sql: "SELECT start, shift FROM transcript_shift WHERE episode = ? ORDER BY start")
        let rows = try Row.fetchAll(statement, arguments: [episode])
        return TranscriptShifts(
            try rows.map {
                .init(start: .microseconds(try $0[0] as Int64), shift: .microseconds(try $0[1] as Int64))
            })
    }

    static func insert(_ shifts: TranscriptShifts, _ episode: Int64, _ db: Database) throws {
        for step in shifts.steps {
            try db.execute(
                sql: "INSERT INTO transcript_shift (episode, start, shift) VALUES (?, ?, ?)",
                arguments: [episode, step.start.microseconds, step.shift.microseconds])
        }
    }
}

extension Transcript {
    /// Returns the transcript with corrected times. No cue moves before an earlier one.
    func shifted(by shifts: TranscriptShifts) -> Transcript {
        guard !shifts.steps.isEmpty, isTimed else { return self }
        var earliest: Duration?
        let cues = cues.map { cue in
            var cue = cue
            cue.time = cue.time.map { time in
                let shift = shifts.shift(at: time.lowerBound)
                let start = max(time.lowerBound + shift, earliest ?? time.lowerBound + shift)
                earliest = start
                return start..<max(start, time.upperBound + shift)
            }
            return cue
        }
        return Transcript(cues: cues, language: language)
    }
}
