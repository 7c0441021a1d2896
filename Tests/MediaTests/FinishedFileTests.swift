// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("FinishedFile")
struct FinishedFileTests {
    private let scratch: ScratchDirectory
    private let new = Array("new".utf8)

    init() throws { scratch = try ScratchDirectory() }

    private func finished() throws -> FinishedFile { FinishedFile(path: try scratch.write(new, to: "partial")) }

    @Test("A free name is taken, and the temporary one is gone")
    func free() throws {
        try finished().rename(to: scratch.path("out"))
        #expect(scratch.read("out") == new)
        #expect(scratch.names() == ["out"])
    }

    @Test("A name that is taken is refused, whatever has it")
    func taken() throws {
        let file = try finished()
        try scratch.write([1], to: "file")
        mkdir(scratch.path("folder"), 0o700)
        symlink("nowhere", scratch.path("link"))
        for name in ["file", "folder", "link"] {
            let error = #expect(throws: SystemError.self) { try file.rename(to: scratch.path(name)) }
            #expect(error?.code == EEXIST)
        }
        #expect(scratch.read("file") == [1])
        #expect(scratch.read("partial") == new)
    }

    @Test("A file that may be replaced is replaced")
    func replaced() throws {
        try scratch.write([1], to: "out")
        try finished().rename(to: scratch.path("out"), replacing: true)
        #expect(scratch.read("out") == new)
    }
}
