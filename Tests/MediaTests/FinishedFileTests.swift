// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Glibc
import Media
import Testing

@Suite("FinishedFile")
struct FinishedFileTests {
    private let scratch: ScratchDirectory
    private let new = Array("new".utf8)

    init() throws { scratch = ScratchDirectory() }

    private func finished() throws -> FinishedFile { FinishedFile(path: try scratch.write(new, to: "partial")) }

    @Test("A file is renamed to a free name")
    func free() throws {
        try finished().rename(to: scratch.path("out"))
        #expect(scratch.read("out") == new)
        #expect(scratch.names == ["out"])
    }

    @Test("An existing name is refused, whether a file, folder or link")
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

    @Test("A file is replaced if replacing is allowed")
    func replaced() throws {
        try scratch.write([1], to: "out")
        try finished().rename(to: scratch.path("out"), replacing: true)
        #expect(scratch.read("out") == new)
    }
}
