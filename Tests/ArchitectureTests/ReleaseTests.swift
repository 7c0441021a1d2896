// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@Suite("The release")
struct ReleaseTests {
    private static let version: String? = {
        let source = SourceTree.text(of: "Sources/Sessions/CompositionRoot.swift") ?? ""
        guard let start = source.firstRange(of: "static let version = \"") else { return nil }
        return String(source[start.upperBound...].prefix { $0 != "\"" })
    }()

    @Test("The first release in CHANGELOG.md has the version of the program")
    func changelog() throws {
        let version = try #require(Self.version)
        let changelog = try #require(SourceTree.text(of: "CHANGELOG.md"))
        let headings = changelog.split(separator: "\n").filter { $0.hasPrefix("## ") }.map { $0.dropFirst(3) }
        let first = try #require(headings.first { $0 != "Unreleased" })
        #expect(first.prefix { $0 != " " } == version)
    }

    @Test(
        "No other file of the package has the version",
        arguments: [
            "Scripts/setup", "Scripts/package", "Packaging/debian/control",
            "Packaging/org.earshot.earshot.metainfo.xml",
        ])
    func onePlace(path: String) throws {
        let version = try #require(Self.version)
        #expect(try #require(SourceTree.text(of: path)).contains(version) == false)
    }
}
