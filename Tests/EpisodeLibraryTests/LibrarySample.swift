// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeLibrary
import Feeds
import Glibc
import Media

/// A small library with some data of every kind; Fixtures contains one written by each released version.
///
/// `EARSHOT_RECORD_DUMPS=1 swift test --filter SchemaTests` writes the missing file of the current version and its
/// contents as text. Never recreate an existing library: users have libraries of that version.
enum LibrarySample {
    static func fill(_ stage: LibraryStage) throws {
        let library = stage.library
        let tales = try library.subscribe(
            Subscription(
                feedURL: "https://host.example/tales.xml", folder: ["Sea", "Ports"],
                login: Login(user: "listener", password: "secret"))
        ).id
        try stage.merge([.numbered(3), .numbered(2), .numbered(1)], into: tales)
        // The second episode changes its GUID and the first one leaves, which creates aliases and dates.
        try stage.merge([.numbered(3, title: "The storm"), .numbered(2, guid: "other")], into: tales)
        try library.note([FeedFetch(podcast: tales, etag: "\"1\"", bodyKey: 7)])
        let news = try stage.subscribe("https://host.example/news.xml")
        try stage.merge([.numbered(9, title: "Whales seen")], into: news, feed: .titled("Sea News"))
        try library.noteFailure(news, "the server does not answer")
        try listen(stage)
        while try library.indexSome() > 0 {}
    }

    private static func listen(_ stage: LibraryStage) throws {
        let library = stage.library
        stage.pass(.seconds(60))
        let position = PlaybackPosition(
            position: .seconds(90), duration: .seconds(1801), version: "1000 bytes", heard: .zero ..< .seconds(90))
        try library.save(position, of: 1, .act)
        try library.finish(4, heard: .seconds(10) ..< .seconds(20))
        try library.enqueue([2, 3])
        try library.addBookmark(3, at: .seconds(750), title: "the song")
        let anchor = TimeAnchor(offset: 8192, time: .seconds(900), totalLength: 1_000_000)
        try library.addBookmark(3, at: .seconds(901), from: anchor)
        try library.requestDownload(3, by: .listener)
        try library.noteDownload(3, .partial, total: 1_000_000, extents: [0..<4096, 8192..<9000])
        try library.set("speed", to: "1.25")
        try library.set("speed", to: "1.5", for: 1)
        let cue = Transcript.Cue(time: .seconds(9) ..< .seconds(12), speaker: "Mary", text: "A gull, far out.")
        try library.store(Transcript(cues: [cue], language: "en"), of: 3, from: "https://host.example/3.vtt")
        let loudness = StoredLoudness(
            fileLength: 1_000_000, fileHash: .max - 41, seconds: 1801, integrated: -18.5, range: 4.5, truePeak: -1,
            histogram: [1, 2, 3])
        try library.store(loudness, of: 3)
        try library.rename(2, to: "News of the sea")
        _ = try library.undo()
    }

    // MARK: Files

    static let folder = "\(#filePath.split(separator: "/").dropLast().reduce("") { $0 + "/" + $1 })/Fixtures/"
    static let isRecording = getenv("EARSHOT_RECORD_DUMPS") != nil

    static func path(_ version: String) -> String { folder + "library-\(version).db" }

    /// Returns the path of a copy of the library of a released version in another directory.
    static func copy(_ version: String, in directory: ScratchDirectory) throws -> String {
        try directory.write(ScratchDirectory.bytes(of: path(version)), to: "library.db")
    }

    static func write(_ bytes: [UInt8], to name: String) {
        guard let file = fopen(folder + name, "w") else { return }
        fwrite(bytes, 1, bytes.count, file)
        fclose(file)
    }

    /// Creates the file of the current version if it is missing.
    static func recordMissing(_ version: String) throws {
        guard isRecording, ScratchDirectory.bytes(of: path(version)).isEmpty else { return }
        let stage = try LibraryStage()
        try fill(stage)
        try stage.library.close()
        write(stage.directory.read("library.db"), to: "library-\(version).db")
    }
}
