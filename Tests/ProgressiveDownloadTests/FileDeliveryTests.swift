// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Testing

@testable import ProgressiveDownload

@Suite("FileDelivery")
struct FileDeliveryTests {
    private let directory = ScratchDirectory()

    @Test("A copy never writes to a file that is already in the folder")
    func foreignFile() throws {
        let (kept, foreign) = (episode(1000), ".earshot-\(getpid()).new")
        try directory.write(kept, to: "e.mp3")
        try directory.write([1, 2, 3], to: foreign)
        let delivery = FileDelivery(to: directory.path("copy.mp3"))
        let location = DownloadLocation(directory: directory.path, name: "e.mp3")
        try delivery.check(for: location)
        let path = try delivery.deliver(location)
        #expect(path == directory.path("copy.mp3"))
        #expect(directory.read("copy.mp3") == kept && directory.read(foreign) == [1, 2, 3])
        #expect(directory.fileNames.sorted() == [foreign, "copy.mp3", "e.mp3"])
    }
}
