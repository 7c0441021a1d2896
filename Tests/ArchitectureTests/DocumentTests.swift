// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@Suite("Documents")
struct DocumentTests {
    @Test(
        "Each document exists",
        arguments: [
            "README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "LICENSE", "docs/glossary.md",
            "docs/json-events.md", "docs/json-library.md", "docs/feed-json.md", "docs/audio-engine.md",
            "docs/codecs.md", "docs/decisions/README.md",
        ])
    func documents(path: String) {
        #expect(SourceTree.text(of: path)?.isEmpty == false)
    }

    @Test("The manual of the audio engine quotes programs that are built", arguments: ["FirstSound", "FilePlayer"])
    func manual(program: String) throws {
        let manual = try #require(SourceTree.text(of: "docs/audio-engine.md"))
        let source = try #require(SourceTree.text(of: "Examples/Sources/\(program)/main.swift"))
        // All lines but the licence line.
        let code = String(source.drop { $0 != "\n" }.dropFirst())
        #expect(manual.contains("```swift\n" + code + "```"))
    }

    @Test("ARCHITECTURE.md has at most 90 lines")
    func onePage() throws {
        let document = try #require(SourceTree.text(of: "ARCHITECTURE.md"))
        #expect(document.split(separator: "\n", omittingEmptySubsequences: false).count - 1 <= 90)
    }

    @Test("ARCHITECTURE.md names each dispatch queue")
    func queues() throws {
        let document = try #require(SourceTree.text(of: "ARCHITECTURE.md"))
        let labels = SourceTree.sources.filter { $0.imports.contains("Dispatch") }
            .flatMap { Self.literals(after: "DispatchQueue(label: ", in: $0.text) }
        #expect(!labels.isEmpty)
        for label in labels { #expect(document.contains("`\(label)`"), "\(label) is missing") }
    }

    @Test("Each file in the table of CONTRIBUTING.md exists")
    func placesToStart() throws {
        let document = try #require(SourceTree.text(of: "CONTRIBUTING.md"))
        let rows = document.split(separator: "\n").filter { $0.hasPrefix("| ") }
        let quoted: [String] = rows.flatMap { row -> [String] in Self.quoted(row) }
        let paths = quoted.filter { $0.contains("/") }
        #expect(paths.count >= 10)
        for path in paths { #expect(SourceTree.text(of: path)?.isEmpty == false, "\(path) does not exist") }
    }

    @Test("docs/decisions/README.md lists each decision, in order")
    func decisions() throws {
        let list = try #require(SourceTree.text(of: "docs/decisions/README.md"))
        let listed = list.split(separator: "](").dropFirst().map { String($0.prefix { $0 != ")" }) }
        #expect(listed == SourceTree.entries(of: "docs/decisions").filter { $0 != "README.md" })
    }

    @Test("docs/json-library.md lists the verbs of acts")
    func verbs() throws {
        let document = try #require(SourceTree.text(of: "docs/json-library.md"))
        let listed = try #require(Self.part(of: document, from: "`verb` (", to: ")"))
        let source = try #require(SourceTree.sources.first { $0.path.hasSuffix("/Act.swift") })
        let body = try #require(Self.part(of: source.text, from: "enum Verb:", to: "}"))
        let words = body.split { !$0.isLetter }.map(String.init)
        let cases = Set(words.drop { $0 != "case" }).subtracting(["case"])
        #expect(!cases.isEmpty && cases == Set(Self.quoted(listed)))
    }

    @Test("docs/json-events.md lists the events of play and download")
    func events() throws {
        let document = try #require(SourceTree.text(of: "docs/json-events.md"))
        let rows = document.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let listed = Set(rows.compactMap { Self.quoted($0).first }).subtracting(["event"])
        let reporters = SourceTree.sources.filter { file in
            ["/JSONReporter.swift", "/JSONDownloadReporter.swift", "/EventJSON.swift"].contains {
                file.path.hasSuffix($0)
            }
        }
        #expect(reporters.count == 3)
        let names = reporters.flatMap { file in
            ["line(", "self.init(", "EventJSON("].flatMap { Self.literals(after: $0, in: file.text) }
        }
        #expect(Set(names) == listed)
    }

    @Test("The licence section of README names each library")
    func licences() throws {
        let readme = try #require(SourceTree.text(of: "README.md"))
        let section = try #require(Self.part(of: readme + "\n## ", from: "## Licence", to: "\n## "))
        let package = try #require(SourceTree.text(of: "Package.swift"))
        let modules = Self.literals(after: ".systemLibrary(name: ", in: package)
        #expect(!modules.isEmpty)
        for module in modules {
            let map = try #require(SourceTree.text(of: "Sources/\(module)/module.modulemap"))
            for library in Self.literals(after: "link ", in: map) {
                #expect(section.contains("lib\(library)"), "lib\(library) is missing")
            }
        }
        for url in Self.literals(after: ".package(url: ", in: package) {
            let name = url.split(separator: "/").last ?? ""
            #expect(section.contains(name), "\(name) is missing")
        }
    }

    /// Returns the parts of a text between backticks.
    private static func quoted(_ text: Substring) -> [String] {
        let parts = text.split(separator: "`", omittingEmptySubsequences: false)
        return parts.enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    }

    /// Returns the string literals that follow a text, perhaps after white space.
    private static func literals(after start: String, in text: String) -> [String] {
        text.split(separator: start, omittingEmptySubsequences: false).dropFirst().compactMap { rest in
            let argument = rest.drop { $0 == " " || $0 == "\n" }
            return argument.first == "\"" ? String(argument.dropFirst().prefix { $0 != "\"" }) : nil
        }
    }

    private static func part(of text: String, from start: String, to end: String) -> Substring? {
        guard let opening = text.firstRange(of: start),
            let closing = text[opening.upperBound...].firstRange(of: end)
        else { return nil }
        return text[opening.upperBound..<closing.lowerBound]
    }
}

@Suite("Plain English")
struct PlainEnglishTests {
    /// Phrases of the former style, in lower case. Each has a plainer replacement, such as "again" for "anew".
    static let phrases = [
        "is told", "are told", "was told", "told to be", "anew", "whoever", "nobody knows", "by itself",
        "by themselves", "goes on with", "go on with", "gone on with", "can be had", "could be had", "in good order",
        "at once", "nothing of it", "none of it", "as it is", "what came", "what comes", "is to be", "are to be",
        "was to be", "is nothing that", "passed over", "asked for news", "never going back",
    ]

    /// The documents, scripts and source files. This file is exempt, because it contains the phrases.
    static let texts: [SourceTree.File] = {
        let documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md"].compactMap { path in
            SourceTree.text(of: path).map { SourceTree.File(path: path, text: $0) }
        }
        let sources =
            SourceTree.sources + SourceTree.tests + SourceTree.benchmarks + SourceTree.examples
            + SourceTree.packaging
        let fuzzing = ["Fuzzing/Harnesses", "Fuzzing/Fuzzer"].flatMap { SourceTree.swiftFiles(under: $0) }
        return documents + files(under: "docs") + files(under: "Scripts")
            + (sources + fuzzing).filter { $0.path != "Tests/ArchitectureTests/DocumentTests.swift" }
    }()

    @Test("No text contains a banned phrase", arguments: texts)
    func text(file: SourceTree.File) {
        for finding in Self.findings(in: file) {
            Issue.record("\(file.path):\(finding.line): \"\(finding.phrase)\"")
        }
    }

    @Test(
        "A phrase counts as whole words in comments and string literals only",
        arguments: [
            ("// begins anew", 1), ("/// At once.", 1), ("say(\"the user is told\")", 1), ("func anew() {}", 0),
            ("// renew it anewly", 0), ("let a = \"b\" // by itself", 1), ("let text = \"\"\"\nanew\n\"\"\"", 1),
            ("let quote = \"\\\"\"; anew()", 0), ("// x\nanew()", 0), ("let empty = \"\"; anew()", 0),
        ])
    func counts(text: String, count: Int) {
        #expect(Self.findings(in: SourceTree.File(path: "Example.swift", text: text)).count == count)
    }

    @Test("A finding has the number of its line")
    func lineNumber() {
        let file = SourceTree.File(path: "example.md", text: "one\ntwo\nthree, anew\n")
        #expect(Self.findings(in: file).map(\.line) == [3])
    }

    struct Finding {
        let line: Int
        let phrase: String
    }

    private enum Byte {
        static let newline = UInt8(ascii: "\n")
        static let quote = UInt8(ascii: "\"")
        static let slash = UInt8(ascii: "/")
        static let backslash = UInt8(ascii: "\\")
    }

    /// The phrases by their first byte.
    private static let phrasesByFirstByte: [[[UInt8]]] = {
        var table = [[[UInt8]]](repeating: [], count: 256)
        for phrase in phrases.map({ Array($0.utf8) }) { table[Int(phrase[0])].append(phrase) }
        return table
    }()

    /// Compares bytes at the beginnings of words: searching a string for each phrase would take minutes.
    static func findings(in file: SourceTree.File) -> [Finding] {
        let bytes = prose(of: file)
        var findings: [Finding] = []
        var line = 1
        for index in bytes.indices {
            if bytes[index] == Byte.newline { line += 1 }
            guard index == 0 || !isPartOfWord(bytes[index - 1]) else { continue }
            for phrase in phrasesByFirstByte[Int(bytes[index])] {
                let end = index + phrase.count
                guard end <= bytes.count, bytes[index..<end].elementsEqual(phrase),
                    end == bytes.count || !isPartOfWord(bytes[end])
                else { continue }
                findings.append(Finding(line: line, phrase: String(decoding: phrase, as: UTF8.self)))
            }
        }
        return findings
    }

    private static func isPartOfWord(_ byte: UInt8) -> Bool {
        switch byte {
        // ASCII letters in lower case, digits, the underscore, and all other characters.
        case 0x61...0x7A, 0x30...0x39, 0x5F, 0x80...0xFF: true
        default: false
        }
    }

    private enum Part { case code, comment, string, longString }

    /// Returns the text in lower case; in a Swift file, zeros replace all code but comments and string literals.
    private static func prose(of file: SourceTree.File) -> [UInt8] {
        var bytes = Array(file.text.utf8)
        for index in bytes.indices where bytes[index] >= 0x41 && bytes[index] <= 0x5A { bytes[index] += 0x20 }
        guard file.path.hasSuffix(".swift") else { return bytes }
        var part = Part.code
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let isTriple = byte == Byte.quote && bytes[index...].prefix(3).elementsEqual([byte, byte, byte])
            switch (part, byte) {
            case (.code, Byte.quote) where isTriple:
                part = .longString
                index += 2
            case (.longString, Byte.quote) where isTriple:
                part = .code
                index += 2
            case (.code, Byte.quote): part = .string
            case (.code, Byte.slash) where index + 1 < bytes.count && bytes[index + 1] == Byte.slash: part = .comment
            case (.comment, Byte.newline), (.string, Byte.newline), (.string, Byte.quote): part = .code
            // The next character is escaped.
            case (.string, Byte.backslash): index += 1
            case (.code, _) where byte != Byte.newline: bytes[index] = 0
            default: break
            }
            index += 1
        }
        return bytes
    }

    /// Returns all files below a folder.
    private static func files(under folder: String) -> [SourceTree.File] {
        SourceTree.entries(of: folder).filter { $0 != "__pycache__" }.flatMap { name -> [SourceTree.File] in
            let path = folder + "/" + name
            let nested = files(under: path)
            guard nested.isEmpty else { return nested }
            return SourceTree.text(of: path).map { [SourceTree.File(path: path, text: $0)] } ?? []
        }
    }
}
