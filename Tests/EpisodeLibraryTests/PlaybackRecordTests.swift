// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import EpisodeLibrary

@Suite("Records of playback")
struct PlayingNoteTests {
    private let stage: LibraryStage
    private var library: Library { stage.library }
    private var now: UTCTime { library.currentTime }

    init() throws {
        stage = try LibraryStage()
        try stage.merge([.numbered(2), .numbered(1)], into: try stage.subscribe())
    }

    private func place(_ seconds: Int, heard: Range<Int>? = nil, of episode: Int64 = 1) -> PlaybackRecord {
        let range = heard.map { Duration.seconds($0.lowerBound) ..< .seconds($0.upperBound) }
        let position = PlaybackPosition(
            position: .seconds(seconds), duration: .seconds(1800), version: "5 \"bytes\"\n", heard: range)
        return PlaybackRecord(episode, .position(position), at: now)
    }

    @Test("The records are written in one transaction")
    func written() throws {
        try library.enqueue([2])
        try library.savePlayback(
            [
                PlaybackRecord(1, .began, at: now), place(9, heard: 5..<9),
                PlaybackRecord(2, .finished(heard: nil), at: now),
                PlaybackRecord(1, .played(.zero ..< .seconds(2)), at: now),
            ], waiting: 1)
        #expect(try library.position(of: 1)?.position == .seconds(9))
        #expect(try library.playedRanges(of: 1) == [.zero ..< .seconds(2), .seconds(5) ..< .seconds(9)])
        #expect(try library.downloads().map(\.requestedBy) == [.playing])
        #expect(try library.queue().isEmpty && library.episode(2).progress == .played)
    }

    @Test("A record is converted to a line of text and back, and any other text is rejected")
    func lines() {
        let range: Range<Duration> = .milliseconds(1) ..< .seconds(2)
        let notes = [
            PlaybackRecord(7, .began, at: now), PlaybackRecord(7, .played(range), at: now), place(5),
            place(5, heard: 2..<5),
            PlaybackRecord(
                7,
                .position(
                    PlaybackPosition(
                        position: .seconds(5),
                        from: TimeAnchor(offset: 3000, time: .milliseconds(4500), totalLength: 5000))),
                at: now),
            PlaybackRecord(7, .finished(heard: nil), at: now), PlaybackRecord(7, .finished(heard: range), at: now),
        ]
        for note in notes {
            #expect(PlaybackRecord(line: note.line) == note)
            for length in 0..<note.line.utf8.count {
                #expect(PlaybackRecord(line: String(decoding: note.line.utf8.prefix(length), as: UTF8.self)) == nil)
            }
        }
    }

    @Test("A version that does not know estimates reads the first line of an estimated position")
    func estimate() throws {
        let anchor = TimeAnchor(offset: 3000, time: .milliseconds(4500), totalLength: 5000)
        let position = PlaybackPosition(position: .seconds(5), from: anchor)
        let note = PlaybackRecord(1, .position(position), at: UTCTime(secondsSince1970: 1_760_000_000))
        #expect(
            note.lines == [
                #"["position","1","1760000000","","","5000000","","","0"]"#,
                #"["estimate","1","1760000000","","","5000000","","","0","3000 4500000 5000"]"#,
            ])
        try library.storeFallback([note], as: "1")
        #expect(try stage.another().position(of: 1) == position)
    }

    @Test(
        "A line that an earlier version wrote is read",
        arguments: [
            (#"["began","7","1760000000"]"#, .began),
            (#"["heard","7","1760000000","1000","2000000"]"#, .played(.milliseconds(1) ..< .seconds(2))),
            (#"["finished","7","1760000000","",""]"#, .finished(heard: nil)),
            (
                #"["position","7","1760000000","2000000","5000000","5000000","1800000000","#
                    + #""5 \"by\\tes\"\n","9000000"]"#,
                .position(
                    PlaybackPosition(
                        position: .seconds(5), duration: .seconds(1800), version: "5 \"by\\tes\"\n",
                        heard: .seconds(2) ..< .seconds(5), heardInAll: .seconds(9)))
            ),
        ] as [(String, PlaybackRecord.Event)])
    func earlier(line: String, event: PlaybackRecord.Event) {
        let record = PlaybackRecord(7, event, at: UTCTime(secondsSince1970: 1_760_000_000))
        #expect(PlaybackRecord(line: line) == record)
        #expect(record.line == line)
    }

    @Test(
        "A line without a list of texts, or with a number out of range, is rejected",
        arguments: [
            "", "7", "null", "[7]", #"["began",7,1]"#, #"["began","7","1"],"#, #"{"began":"7"}"#, "[[[[[[",
            #"["began","7","\#(Int64.min)"]"#, #"["heard","7","1760000000","5","\#(Int64.max)"]"#,
            #"["position","7","1760000000","","","\#(Int64.min)","","","0"]"#,
        ])
    func damaged(line: String) {
        #expect(PlaybackRecord(line: line) == nil)
    }

    @Test("Records in a separate file are imported once, when the library is next opened")
    func aside() throws {
        try library.storeFallback([place(9, heard: 5..<9)], as: "1")
        #expect(try library.position(of: 1) == nil)
        #expect(try stage.another().position(of: 1)?.position == .seconds(9))
        #expect(try library.playedRanges(of: 1) == [.seconds(5) ..< .seconds(9)])
        #expect(!stage.directory.names.contains { $0.hasSuffix("-positions") })
    }

    @Test("Records without room beside the library go to the runtime folder, and are imported from there once")
    func withoutRoom() throws {
        let (now, runtime) = (now, stage.directory.path("run"))
        let library = try Library(path: stage.path, runtimeFolder: runtime) { now }
        // In the place of the folder.
        try stage.directory.write([], to: "library.db-positions")
        let folder = try library.storeFallback([place(9, heard: 5..<9)], as: "1")
        let name = stage.path.replacing("/", with: "%2F")
        #expect(folder == "\(runtime)/positions-\(name)-positions")
        let next = try Library(path: stage.path, runtimeFolder: runtime) { now }
        #expect(try next.position(of: 1)?.position == .seconds(9))
        #expect(stage.directory.names(in: "run").isEmpty)
        #expect(throws: LibraryError.self) { try stage.library.storeFallback([place(9)], as: "1") }
    }

    @Test("A late record does not override newer positions, but adds its played ranges")
    func late() throws {
        let old = place(9, heard: 5..<9)
        try library.storeFallback([old, PlaybackRecord(2, .finished(heard: nil), at: now)], as: "1")
        stage.pass(.seconds(5))
        try library.save(PlaybackPosition(position: .seconds(700)), of: 1, .tick)
        try library.save(PlaybackPosition(position: .seconds(3)), of: 2, .tick)
        let other = try stage.another()
        #expect(try other.position(of: 1)?.position == .seconds(700))
        #expect(try other.position(of: 2)?.position == .seconds(3))
        #expect(try other.playedRanges(of: 1) == [.seconds(5) ..< .seconds(9)])
    }

    @Test("A late record does not restore a removed download")
    func removed() throws {
        try library.requestDownload(1, by: .listener)
        try library.storeFallback([PlaybackRecord(1, .began, at: now)], as: "1")
        stage.pass(.seconds(5))
        try library.removeDownloads([1])
        #expect(try stage.another().downloads().isEmpty)
    }

    @Test("A record of an episode that was merged while it played goes to the other episode", arguments: [false, true])
    func merged(isLate: Bool) throws {
        let day = ListeningDay(20_000)
        try library.merge(1, into: 2)
        if isLate {
            try library.storeFallback([place(9, heard: 5..<9)], as: "1")
            #expect(try stage.another().position(of: 2)?.position == .seconds(9))
        } else {
            let time = ListeningRecord(episode: 1, day: day, time: ListeningTime(heard: 4, wall: 4))
            try library.savePlayback([place(9, heard: 5..<9)], listened: [time], waiting: 1)
            #expect(try library.position(of: 2)?.position == .seconds(9))
            #expect(try library.listeningSums().total.heard == 4)
        }
        #expect(try library.playedRanges(of: 2) == [.seconds(5) ..< .seconds(9)])
        #expect(try library.current(1) == 2)
        try library.undo()
        #expect(try library.current(1) == 1)
    }

    @Test("While another process holds the library, separate records are read but not imported")
    func held() throws {
        let other = try LibraryHolder(stage.path)
        try library.storeFallback([place(9)], as: "1")
        #expect(try stage.another().position(of: 1)?.position == .seconds(9))
        #expect(stage.directory.names(in: "library.db-positions") == ["1"])
        try other.release()
        #expect(try stage.another().position(of: 1)?.position == .seconds(9))
        #expect(stage.directory.names(in: "library.db-positions").isEmpty)
    }

    @Test("Truncated and foreign files are ignored")
    func foreign() throws {
        mkdir(stage.directory.path("library.db-positions"), 0o755)
        try stage.directory.write(Array("[\"position\",\"1\"".utf8), to: "library.db-positions/1")
        try stage.directory.write([UInt8](repeating: 7, count: 5000), to: "library.db-positions/2")
        #expect(try stage.another().position(of: 1) == nil)
    }
}
