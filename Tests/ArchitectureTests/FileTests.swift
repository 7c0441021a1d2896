// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@Suite("Files")
struct FileTests {
    static let everything =
        SourceTree.sources + SourceTree.tests + SourceTree.benchmarks + SourceTree.examples
        + SourceTree.packaging
    static let longestFile = 300
    /// Files that may exceed the limit, each with its reason.
    static let longFiles: [String: String] = [:]

    @Test("Each file starts with its licence", arguments: everything)
    func licence(file: SourceTree.File) {
        #expect(file.lines.first == "// SPDX-License-Identifier: GPL-3.0-or-later")
    }

    @Test("Each file has at most 300 lines", arguments: everything)
    func length(file: SourceTree.File) {
        guard Self.longFiles[file.path] == nil else { return }
        #expect(file.lines.count <= Self.longestFile)
    }

    @Test("Each line has at most 120 columns", arguments: everything)
    func width(file: SourceTree.File) {
        // Counting bytes is fast, and a line has at least as many bytes as columns.
        let long = file.lines.enumerated().filter { $0.element.utf8.count > 120 && $0.element.count > 120 }
            .map { $0.offset + 1 }
        #expect(long == [], "lines too long")
    }

    @Test("Sources contain no trapping operations", arguments: SourceTree.sources)
    func noTrap(file: SourceTree.File) {
        let forbidden = ["try" + "!", "fatalError" + "(", "as" + "! "]
        let found = file.lines.enumerated().filter { _, line in
            let code = line.split(separator: "//", maxSplits: 1, omittingEmptySubsequences: false).first ?? ""
            return forbidden.contains { code.contains($0) }
        }
        #expect(found.map { $0.offset + 1 } == [])
    }

    @Test("No file has a generic name", arguments: everything)
    func names(file: SourceTree.File) {
        let name = String(file.path.split(separator: "/").last ?? "")
        for word in ["Util", "Helper", "Common", "Manager", "Misc"] { #expect(!name.contains(word)) }
    }

    @Test("Each unchecked concurrency annotation has a comment with its reason", arguments: SourceTree.sources)
    func proofs(file: SourceTree.File) {
        let lines = file.lines
        for (number, line) in lines.enumerated()
        where line.contains("@unchecked Sendable")
            || line.contains("nonisolated(unsafe)")
        {
            let above = number > 0 ? lines[number - 1] : ""
            #expect(line.contains("//") || above.contains("//"), "line \(number + 1) of \(file.path)")
        }
    }
}
