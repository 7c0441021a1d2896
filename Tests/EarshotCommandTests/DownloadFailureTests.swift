// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Media
import Testing

@testable import Sessions

@Suite("Failures of operations on downloads")
struct DownloadFailureTests {
    @Test("An error of the disk or of the library keeps its reason")
    func reasons() {
        let disk = MediaFailure(.inputOutput, "cannot delete one.mp3: input/output error")
        #expect(MediaFailure(converting: disk) == disk)
        let library = LibraryError(.busy, "another process holds the library")
        #expect(MediaFailure(converting: library) == MediaFailure(.temporary, "another process holds the library"))
    }
}
