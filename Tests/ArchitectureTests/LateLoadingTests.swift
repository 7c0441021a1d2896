// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

/// Libraries that are loaded at their first use: docs/decisions/0067-small-program.md.
@Suite("Late loading")
struct LateLoadingTests {
    @Test(
        "Each function of a library that is loaded late has a definition in CLoaders",
        arguments: [
            ("CCurl", "curl_", "CurlLoader"), ("CFLAC", "FLAC__stream_decoder_", "FLACLoader"),
            ("CXML2", "xml", "XMLLoader"), ("CXML2", "html", "XMLLoader"),
        ])
    func late(module: String, prefix: String, file: String) throws {
        let loader = try #require(SourceTree.text(of: "Sources/CLoaders/\(file).c"))
        let shim = try #require(SourceTree.text(of: "Sources/\(module)/shim.h"))
        let callers = SourceTree.sources.filter { $0.imports.contains(module) }.map(\.text) + [shim]
        let words = callers.flatMap { $0.split { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "(" } }
        // The prefixes of libcurl and libxml2 are those of their types, too.
        let uses = words.filter { $0.hasPrefix(prefix) && ($0.contains("(") || module == "CFLAC") }
        let calls = uses.map { $0.prefix { $0 != "(" } }.filter { !$0.hasSuffix("SAXHandler") }
        #expect(calls.count > 3)
        for name in Set(calls) {
            #expect(loader.contains(" \(name),") || loader.contains(" \(name)("), "\(name) is missing")
        }
    }
}
