// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media

/// The playback records that are not in the library yet. Pure. For each episode it keeps only the latest position and
/// all played ranges, however long the library cannot be written.
struct PendingPositions: Equatable {
    private(set) var notes: [PlaybackRecord] = []
    /// The download progress by episode.
    private(set) var arrivals: [Int64: DownloadProgress] = [:]
    /// The listening times that are not in the library yet.
    private(set) var listened: [ListeningRecord] = []
    /// True if some of the records must survive a power failure.
    private(set) var isDurable = false

    var isEmpty: Bool { arrivals.isEmpty && !hasPlayback }
    /// True if there are positions or listening times. The progress of a download is also known from its file.
    var hasPlayback: Bool { !notes.isEmpty || !listened.isEmpty }

    mutating func add(_ entry: PositionLog.Entry, at time: UTCTime) {
        switch entry {
        case .begin(let episode): add(PlaybackRecord(episode, .began, at: time))
        case .save(let episode, let position, let durability):
            add(PlaybackRecord(episode, .position(position), at: time))
            if durability == .act { isDurable = true }
        case .finish(let episode, let heard):
            add(PlaybackRecord(episode, .finished(heard: heard), at: time))
            isDurable = true
        case .download(let episode, let downloadProgress): arrivals[episode] = downloadProgress
        case .listened(let episode, let day, let time):
            add(ListeningRecord(episode: episode, day: day, time: time))
        }
    }

    /// Adds later records.
    mutating func append(_ later: PendingPositions) {
        for note in later.notes { add(note) }
        for record in later.listened { add(record) }
        arrivals.merge(later.arrivals) { $1 }
        isDurable = isDurable || later.isDurable
    }

    /// Removes the records that `Library.savePlayback` wrote. The times must not be added to the library twice.
    mutating func removeWritten() { (notes, listened) = ([], []) }

    private mutating func add(_ record: ListeningRecord) {
        if let same = listened.firstIndex(where: { $0.episode == record.episode && $0.day == record.day }) {
            listened[same].time += record.time
        } else {
            listened.append(record)
        }
    }

    private mutating func add(_ note: PlaybackRecord) {
        switch note.event {
        case .began:
            guard !notes.contains(where: { $0.episode == note.episode && $0.event == .began }) else { return }
            notes.append(note)
        case .played(let range): addPlayed(range, note)
        case .position(var position):
            position.playedRange = replacePosition(of: note, heard: position.playedRange, isEnd: false)
            notes.append(PlaybackRecord(note.episode, .position(position), at: note.at))
        case .finished(let heard):
            let heard = replacePosition(of: note, heard: heard, isEnd: true)
            notes.append(PlaybackRecord(note.episode, .finished(heard: heard), at: note.at))
        }
    }

    /// Removes the earlier positions that `note` replaces. An end replaces all earlier ones; a position does not
    /// replace an end.
    /// - Returns: `heard`, extended by the range played directly before it.
    private mutating func replacePosition(
        of note: PlaybackRecord, heard: Range<Duration>?, isEnd: Bool
    ) -> Range<Duration>? {
        var heard = heard
        while let index = notes.lastIndex(where: { $0.episode == note.episode && $0.isPlace }) {
            let earlier: Range<Duration>?
            switch notes[index].event {
            case .finished(let range) where isEnd: earlier = range
            case .position(let position): earlier = position.playedRange
            case .began, .played, .finished: return heard
            }
            notes.remove(at: index)
            if let union = Self.union(earlier, heard) {
                heard = union
            } else if let earlier {
                addPlayed(earlier, note)
            }
        }
        return heard
    }

    private mutating func addPlayed(_ range: Range<Duration>, _ note: PlaybackRecord) {
        let neighbour = notes.firstIndex { other in
            guard other.episode == note.episode, case .played(let other) = other.event else { return false }
            return Self.union(other, range) != nil
        }
        guard let neighbour, case .played(let other) = notes[neighbour].event, let union = Self.union(other, range)
        else {
            return notes.append(PlaybackRecord(note.episode, .played(range), at: note.at))
        }
        notes[neighbour] = PlaybackRecord(note.episode, .played(union), at: note.at)
    }

    /// - Returns: `nil` if the ranges are disjoint.
    private static func union(_ first: Range<Duration>?, _ second: Range<Duration>?) -> Range<Duration>? {
        guard let first, let second else { return first ?? second }
        guard first.lowerBound <= second.upperBound, second.lowerBound <= first.upperBound else { return nil }
        return min(first.lowerBound, second.lowerBound)..<max(first.upperBound, second.upperBound)
    }
}

extension PlaybackRecord {
    /// True if the note sets the listener's position.
    fileprivate var isPlace: Bool {
        switch event {
        case .position, .finished: true
        case .began, .played: false
        }
    }
}
