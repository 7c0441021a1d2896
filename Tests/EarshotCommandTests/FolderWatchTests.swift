// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@testable import Media

@Suite("Changes of files in a folder")
struct FolderWatchTests {
    /// The number of events that the system keeps for a reader; inotify(7).
    private static let limit: Int = {
        let file = open("/proc/sys/fs/inotify/max_queued_events", O_RDONLY | O_CLOEXEC)
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 32)
        let count = max(0, read(file, &bytes, bytes.count))
        let digits = bytes[..<count].prefix { (0x30...0x39).contains($0) }
        return Int(String(decoding: digits, as: UTF8.self)) ?? 0
    }()

    @Test("A new file is a change of its path")
    func created() throws {
        let folder = ScratchDirectory()
        var watch = try #require(FolderWatch())
        let isWatched = watch.add(folder.path)
        #expect(isWatched)
        Self.touch(folder.path("new"))
        #expect(watch.changes() == [folder.path("new")])
    }

    @Test(
        "After more changes than the system keeps, the folder counts as changed", .enabled(if: (1...100_000) ~= limit))
    func overflow() throws {
        let folder = ScratchDirectory()
        var watch = try #require(FolderWatch())
        let isWatched = watch.add(folder.path)
        #expect(isWatched)
        for index in 0...Self.limit {
            let path = folder.path(index % 2 == 0 ? "even" : "odd")
            Self.touch(path)
            unlink(path)
        }
        #expect(watch.changes().contains(folder.path))
    }

    private static func touch(_ path: String) { close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)) }
}
