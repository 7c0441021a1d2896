// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("SymbolicLink")
struct SymbolicLinkTests {
    private let directory = ScratchDirectory()

    @Test("A chain of links leads to its last file, which need not exist; a relative link begins at its own folder")
    func chain() throws {
        let (first, second) = (directory.path("first"), directory.path("second"))
        #expect(symlink("second", first) == 0 && symlink("/nowhere/file", second) == 0)
        #expect(SymbolicLink.text(at: first) == "second" && SymbolicLink.text(at: directory.path) == nil)
        #expect(SymbolicLink.target(of: first) == "/nowhere/file")
        let file = try directory.write([], to: "file")
        #expect(SymbolicLink.target(of: file) == file)
    }

    @Test("A circle of links ends")
    func circle() {
        let path = directory.path("circle")
        #expect(symlink("circle", path) == 0)
        #expect(SymbolicLink.target(of: path) == path)
    }
}
