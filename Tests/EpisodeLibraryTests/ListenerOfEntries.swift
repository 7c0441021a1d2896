// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Testing

/// Performs random actions on episodes between the documents of a feed, and remembers the entry of each.
struct RandomListener {
    let stage: LibraryStage
    private var positions: [Int: Duration] = [:]
    private var heard: [Int: [Range<Duration>]] = [:]
    private var queued: Set<Int> = []
    private var bookmarks: [Int: Int] = [:]

    init(_ stage: LibraryStage) { self.stage = stage }

    var touched: Set<Int> { queued.union(positions.keys).union(bookmarks.keys) }

    mutating func touch(_ random: inout SeededGenerator) throws {
        let shown = try stage.library.episodes(limit: 100).episodes
        guard let episode = shown.randomElement(using: &random),
            let entry = FeedHistory.entry(at: episode.enclosureURL)
        else { return }
        stage.pass(.seconds(60))
        let start = Duration.seconds(Int.random(in: 0..<1000, using: &random))
        switch Int.random(in: 0..<8, using: &random) {
        case 0:
            try stage.library.enqueue([episode.id])
            queued.insert(entry)
        case 1:
            try stage.library.addBookmark(episode.id, at: start)
            bookmarks[entry, default: 0] += 1
        default:
            let range = start..<start + .seconds(5)
            try stage.library.save(PlaybackPosition(position: range.upperBound, heard: range), of: episode.id, .tick)
            positions[entry] = range.upperBound
            heard[entry, default: []].append(range)
        }
    }

    /// Expects that all state still exists on an episode with the audio of its entry.
    func expectAll(_ comment: Comment) throws {
        let shown = try stage.library.episodes(limit: 100).episodes
        let records = try shown.map { try stage.library.record(of: $0.id) }
        let byEntry = Dictionary(grouping: records) { FeedHistory.entry(at: $0.summary.enclosureURL) ?? 0 }
        for (entry, count) in bookmarks {
            #expect(byEntry[entry, default: []].reduce(0) { $0 + $1.bookmarks.count } == count, comment)
        }
        for entry in queued { #expect(byEntry[entry, default: []].contains { $0.queuePlace != nil }, comment) }
        for (entry, position) in positions {
            #expect(byEntry[entry, default: []].contains { $0.position?.position == position }, comment)
        }
        for (entry, ranges) in heard {
            let listened = byEntry[entry, default: []].flatMap(\.listened)
            let isThere = { (range: Range<Duration>) in
                listened.contains { $0.lowerBound <= range.lowerBound && $0.upperBound >= range.upperBound }
            }
            #expect(ranges.allSatisfy(isThere), comment)
        }
    }
}
