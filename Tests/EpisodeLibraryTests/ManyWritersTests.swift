// SPDX-License-Identifier: GPL-3.0-or-later
import Dispatch
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Media
import SQLDatabase
import Synchronization
import Testing

@Suite("Several connections to one library")
struct ManyWritersTests {
    private static let writers = 4
    private static let rounds = 5
    private static let episodes = 500

    @Test("Concurrent creation results in one library")
    func firstOpening() throws {
        for _ in 0..<20 {
            let directory = ScratchDirectory()
            let failures = Mutex<[String]>([])
            DispatchQueue.concurrentPerform(iterations: Self.writers) { writer in
                do {
                    let library = try Library(path: directory.path("library.db")) { .newYear }
                    _ = try library.subscribe(Subscription(feedURL: "https://host.example/\(writer).xml"))
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
            #expect(failures.withLock { $0 } == [])
            let library = try Library(path: directory.path("library.db")) { .newYear }
            #expect(try library.podcasts().count == Self.writers)
        }
    }

    @Test("A long document is merged into a newly opened library")
    func longDocument() throws {
        let stage = try LibraryStage()
        let podcast = try stage.subscribe()
        let report = try stage.merge((1...200).map { .numbered($0) }, into: podcast, in: stage.another())
        #expect(report.new.count == 200)
    }

    @Test("Opening an up-to-date library writes no bytes")
    func opening() throws {
        let directory = ScratchDirectory()
        let path = try LibrarySample.copy(#require(SchemaTests.versions.last), in: directory)
        // An index of an earlier version is replaced when the library is opened.
        try Library(path: path) { .newYear }.close()
        let before = directory.read("library.db")
        try Library(path: path) { .newYear }.close()
        #expect(firstDifference(directory.read("library.db"), before) == nil)
    }

    @Test("Concurrent writes are all stored")
    func writers() throws {
        let stage = try LibraryStage()
        let podcasts = try (0..<Self.writers).map { try stage.subscribe("https://host.example/\($0).xml") }
        let shared = try stage.merge((1...Self.writers).map { .numbered($0) }, into: stage.subscribe()).new
        let failures = Mutex<[String]>([])
        DispatchQueue.concurrentPerform(iterations: Self.writers) { writer in
            do {
                try write(stage, into: podcasts[writer], shared[writer])
            } catch {
                failures.withLock { $0.append("\(error)") }
            }
        }
        #expect(failures.withLock { $0 } == [])
        for (podcast, id) in zip(podcasts, shared) {
            #expect(try stage.library.podcast(podcast).episodeCount == Self.episodes)
            #expect(try stage.library.position(of: id)?.position == .seconds(Self.rounds * 50))
            #expect(try stage.library.playedRanges(of: id) == [.zero ..< .seconds(Self.rounds * 50)])
            #expect(try stage.library.bookmarks(of: id).count == Self.rounds)
        }
        #expect(try Set(stage.library.queue().map(\.id)) == Set(shared))
        #expect(try stage.library.acts(limit: 100).count(where: { $0.verb == .bookmark }) == Self.writers * Self.rounds)
        try expectSound(stage.path)
    }

    private func write(_ stage: LibraryStage, into podcast: Int64, _ id: Int64) throws {
        let library = try stage.another()
        for round in 0..<Self.rounds {
            let document = (1...Self.episodes).map { ParsedEpisode.numbered($0, title: "Episode \($0) of \(round)") }
            try stage.merge(document, into: podcast, in: library)
            for step in 0..<50 {
                let start = Duration.seconds(round * 50 + step)
                let heard = start..<start + .seconds(1)
                try library.save(PlaybackPosition(position: heard.upperBound, heard: heard), of: id, .tick)
            }
            try library.addBookmark(id, at: .seconds(round))
            try library.enqueue([id])
            while try library.indexSome() > 0 {}
        }
    }

    private func expectSound(_ path: String) throws {
        let verdict = try DatabaseQueue(path: path).read { db in
            try String.fetchAll(db, sql: "PRAGMA integrity_check")
        }
        #expect(verdict == ["ok"])
    }
}
