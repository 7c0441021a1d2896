// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

@testable import EpisodeLibrary

@Suite("A library behind a link")
struct LinkedLibraryTests {
    private let stage: LibraryStage
    private let episode: Int64
    private let link: String

    init() throws {
        stage = try LibraryStage()
        episode = try stage.merge([.numbered(1)], into: try stage.subscribe()).new[0]
        link = stage.directory.path("link.db")
        #expect(symlink("library.db", link) == 0)
    }

    private func open() throws(LibraryError) -> Library {
        try LibraryRescue.open(stage.path, besideLink: link, now: { .newYear }) { _ in }
    }

    private var linkedNames: [String] { stage.directory.names.filter { $0.hasPrefix("link.db") } }

    @Test("Positions that an earlier version set aside beside the link are imported once")
    func positions() throws {
        let position = PlaybackPosition(position: .seconds(90))
        let record = PlaybackRecord(episode, .position(position), at: .newYear)
        let folder = try FallbackPositionFiles(beside: link, or: nil).keep([record], as: "1")
        #expect(folder == link + "-positions")
        let library = try open()
        #expect(try library.position(of: episode)?.position == .seconds(90))
        #expect(linkedNames == ["link.db"])
    }

    @Test("The backup that an earlier version wrote beside the link restores a damaged library")
    func backup() throws {
        try stage.library.save(PlaybackPosition(position: .seconds(90)), of: episode, .act)
        try stage.library.keepBackup()
        try stage.library.close()
        #expect(rename(stage.path + ".backup", link + ".backup") == 0)
        try stage.directory.write([UInt8](repeating: 7, count: 8192), to: "library.db")
        let library = try open()
        #expect(try library.position(of: episode)?.position == .seconds(90))
        #expect(linkedNames == ["link.db"])
    }

    @Test("The backup beside the link does not replace the one beside the library")
    func bothBackups() throws {
        let newer = try stage.directory.write([2], to: "library.db.backup")
        try stage.directory.write([1], to: "link.db.backup")
        _ = try open()
        #expect(ScratchDirectory.bytes(of: newer) == [2])
        #expect(linkedNames == ["link.db", "link.db.backup"])
    }
}
