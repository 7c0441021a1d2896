// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// The package's own files on disk.
enum SourceTree {
    struct File: Sendable, CustomStringConvertible {
        /// The path relative to the package's root: `Sources/Media/ByteRange.swift`.
        let path: String
        let text: String
        let lines: [Substring]
        /// The imported modules, regardless of attributes, access levels and kinds of import.
        let imports: [String]

        init(path: String, text: String) {
            self.path = path
            self.text = text
            lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            imports = lines.filter { $0.contains("import ") }.compactMap(Self.importedModule)
        }

        var description: String { path }
        /// The target of the file: the second component of its path.
        var target: String { String(path.split(separator: "/")[1]) }
        var folder: String { path.split(separator: "/").dropLast().joined(separator: "/") }

        private static func importedModule(_ line: Substring) -> String? {
            var words = line.split(separator: " ")
            while let word = words.first, word.hasPrefix("@") || word == "public" || word == "package" {
                words.removeFirst()
            }
            guard words.first == "import", words.count > 1 else { return nil }
            let kinds = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
            let name = kinds.contains(String(words[1])) && words.count > 2 ? words[2] : words[1]
            return name.split(separator: ".").first.map(String.init)
        }
    }

    /// The package's root, two folders above this file's folder.
    static let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3)
        .joined(separator: "/")

    static let sources = swiftFiles(under: "Sources")
    static let tests = swiftFiles(under: "Tests")
    static let benchmarks = swiftFiles(under: "Benchmarks/Sources")
    static let examples = swiftFiles(under: "Examples/Sources")
    static let packaging = swiftFiles(under: "Packaging")
    /// Targets with Swift files, in alphabetical order.
    static let targets = Set(sources.map(\.target)).sorted()

    static func text(of path: String) -> String? {
        guard let file = fopen(root + "/" + path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(decoding: bytes, as: UTF8.self)
    }

    static func swiftFiles(under folder: String) -> [File] {
        entries(of: folder).flatMap { name -> [File] in
            let path = folder + "/" + name
            if name.hasSuffix(".swift") { return text(of: path).map { [File(path: path, text: $0)] } ?? [] }
            return swiftFiles(under: path)
        }
    }

    static func entries(of folder: String) -> [String] {
        guard let directory = opendir(root + "/" + folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if !name.hasPrefix(".") { names.append(name) }
        }
        return names.sorted()
    }
}
