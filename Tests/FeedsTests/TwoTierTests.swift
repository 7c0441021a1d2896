// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Testing

@testable import Feeds

/// Compares `MarkupReader` with `MarkupRepairer` alone.
@Suite("libxml2 and the repairer")
struct TwoTierTests {
    private static let roots: [StaticString] = ["rss", "feed", "rdf"]

    private struct Reading: Equatable {
        var transcript: String
        var isWhole: Bool?
        var error: FeedError?
        var repairs: [FeedRepair]
    }

    /// - Returns: the reading, and true if the repairer parsed a part of the document.
    private func read(
        _ document: [UInt8], pieces: [Int] = [.max], limits: FeedLimits = FeedLimits(), isStrictFirst: Bool = true
    ) throws -> (Reading, isRepaired: Bool) {
        let log = RepairLog(limit: 50)
        let reader = RecordedReader(
            roots: Self.roots, limits: limits, log: log, isDetailed: true, isStrictFirst: isStrictFirst)
        var (isWhole, failure): (Bool?, FeedError?)
        do {
            isWhole = try reader.read(document, pieces: pieces)
        } catch let error as FeedError {
            failure = error
        }
        let repairs = log.repairs(with: RepairLog(limit: 0))
        let reading = Reading(
            transcript: reader.text, isWhole: isWhole, error: failure, repairs: repairs)
        return (reading, reader.isRepairing)
    }

    private func lengths(_ random: inout SeededGenerator) -> [Int] {
        switch random.next() % 3 {
        case 0: [1]
        case 1: [.max]
        default: (0..<20).map { _ in Int(random.next() % (random.next() % 2 == 0 ? 8 : 3_000)) + 1 }
        }
    }

    @Test("libxml2 alone reads any well-formed document as the repairer does, in pieces of any length")
    func wellFormed() throws {
        for seed in 0..<UInt64(LongTests.size(120, inFull: 2_000)) {
            let document = Array(WellFormedDocument(seed: seed).text.utf8)
            var random = SeededGenerator(seed: seed)
            let pieces = lengths(&random)
            let (reading, isRepaired) = try read(document, pieces: pieces)
            let (expected, _) = try read(document, isStrictFirst: false)
            #expect(reading == expected, "document \(seed) in pieces of \(pieces)")
            #expect(!isRepaired, "document \(seed) in pieces of \(pieces)")
        }
    }

    @Test("A damaged document gives the result and the repairs of the repairer alone, in pieces of any length")
    func damaged() throws {
        for seed in 0..<UInt64(LongTests.size(500, inFull: 20_000)) {
            var random = SeededGenerator(seed: seed)
            let document = damage(Array(WellFormedDocument(seed: seed % 300).text.utf8), &random)
            let limits = limits(&random)
            let pieces = lengths(&random)
            let text = filtered(document)
            let (reading, _) = try read(text, pieces: pieces, limits: limits)
            let (expected, _) = try read(text, limits: limits, isStrictFirst: false)
            #expect(reading == expected, "document \(seed) in pieces of \(pieces)")
            #expect(
                feed(document, pieces: pieces, limits) == feed(document, limits, isStrictFirst: false),
                "document \(seed) in pieces of \(pieces)")
        }
    }

    @Test(
        "libxml2 reads well-formed constructs to the end",
        arguments: [
            "<title>a &amp; b</title>", "<title>&#8217;&#x2019;&#039;</title>", "<title><![CDATA[a & b]]></title>",
            "<itunes:title>a</itunes:title>", "<x:y xmlns:x='not a URI'/>", "<enclosure url='?a=1&amp;b=2'/>",
            "<!-- > -->", "<title a='\n\té&lt;&#10;'/>", "<title é='1'/>", "<title>a&#13;b</title>",
        ])
    func strict(_ inside: String) throws {
        let document = Array("<rss><channel><item>\(inside)</item></channel></rss> &".utf8)
        let (reading, isRepaired) = try read(document)
        #expect(!isRepaired)
        #expect(try read(document, isStrictFirst: false).0 == reading)
    }

    @Test("The repairer takes over at each construct that libxml2 does not read as it does", arguments: TakeOver.all)
    func takesOver(_ takeOver: TakeOver) throws {
        for pieces in [[.max], [7], [1_000]] {
            let (reading, isRepaired) = try read(takeOver.document, pieces: pieces)
            #expect(isRepaired)
            #expect(try read(takeOver.document, isStrictFirst: false).0 == reading)
        }
    }

    /// Returns the result of parsing a document.
    private func feed(
        _ document: [UInt8], pieces: [Int] = [.max], _ limits: FeedLimits, isStrictFirst: Bool = true
    ) -> Outcome {
        let parser = FeedParser(
            baseURL: feedURL, contentType: nil, limits: limits, isStrictFirst: isStrictFirst)
        return outcome(of: document, pieces: pieces, parser: parser)
    }

    /// Returns the text that the reader gets of a document.
    private func filtered(_ document: [UInt8]) -> [UInt8] {
        var filter = XMLCharacterFilter(log: RepairLog(limit: 0))
        var text: [UInt8] = []
        document.withUnsafeBufferPointer { filter.append($0, to: &text) }
        return text
    }

    /// Returns limits that small documents exceed, or the usual ones.
    private func limits(_ random: inout SeededGenerator) -> FeedLimits {
        var limits = FeedLimits()
        limits.repairs = 50
        switch random.next() % 8 {
        case 0: limits.tagBytes = 30
        case 1: limits.strictBytes = 200
        case 2: limits.attributes = 2
        case 3: limits.depth = 4
        case 4: limits.items = 1
        case 5: limits.preambleBytes = 60
        case 6: limits.textBytes = 10
        default: break
        }
        return limits
    }
}

/// A document that libxml2 parses only up to a construct.
struct TakeOver: CustomTestStringConvertible {
    let document: [UInt8]

    var testDescription: String { String(decoding: document.prefix(60), as: UTF8.self) }

    private init(_ document: String) {
        self.document = Array(document.utf8)
    }

    private init(inItem text: String) {
        self.init("<rss><channel><item>before \(text) after</item><item>next</item></channel></rss>")
    }

    static let all = constructs.map { TakeOver(inItem: $0) } + documents.map { TakeOver($0) }

    private static let constructs = [
        // not well-formed
        "a & b", "&eacute;", "<b>", "</b>", "<a x=1/>", "<a x='1' x='2'/>", "a ]]> b", "&#8;", "<!-- -- -->",
        // well-formed, but the repairer reads it as HTML, or in another way
        "<!--> x -->", "<!---> x -->", "&#146;", "<a x='&#146;'/>", "&#127;", "&#x1FFFE;", "<é/>", "<item/>",
        // no namespaces
        "<a:b:c/>", "<a xmlns:p=''/>", "<a p:x='1' q:x='2' xmlns:p='u' xmlns:q='u'/>",
        // beyond a limit
        "<a \((0..<65).map { "a\($0)='' " }.joined())/>", "<a x='\(String(repeating: "x", count: 70_000))'/>",
        "<!--\(String(repeating: "x", count: 200_000))-->", "<?x \(String(repeating: "x", count: 200_000))?>",
        "<![CDATA[\(String(repeating: "x", count: 2_000_000))]]>", String(repeating: "x", count: 2_000_000),
        String(repeating: "<n>", count: 64) + String(repeating: "</n>", count: 64),
        (0..<20_000).map { "<n\($0)/>" }.joined(), String(repeating: "<x:n/>", count: 1_001),
        (0..<3).map { level in "<n \((0..<60).map { "xmlns:p\(level)_\($0)='u' " }.joined())>" }.joined()
            + "</n></n></n>",
    ]
    private static let documents = [
        "", " ", "junk", "junk<rss/>", "\u{FEFF}<rss/>", "<html><rss/></html>", "<x><rss/></x>", "<rss>",
        "<rss><channel>",
        "<rss><channel>text", "<!DOCTYPE rss [<!ENTITY a 'b'>]><rss>&a;</rss>", "<!DOCTYPE rss []><rss/>",
        "<!DOCTYPE rss SYSTEM 'a>b'><rss/>", "<!DOCTYPE rss SYSTEM 'a[b'><rss/>", " <?xml version='1.0'?><rss/>",
        String(repeating: " ", count: 40_000) + "<rss/>", String(repeating: " ", count: 70_000) + "<rss/>",
    ]
}

/// Damages a document in a few places, with bytes of XML's syntax above all.
private func damage(_ document: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = document
    for _ in 0..<(1 + Int(random.next() % 3)) where !bytes.isEmpty {
        let index = Int(random.next() % UInt64(bytes.count))
        let end = min(bytes.count, index + 1 + Int(random.next() % 24))
        switch random.next() % 6 {
        case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 1: bytes.removeSubrange(index..<end)
        case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
        case 3, 4: bytes.insert(contentsOf: splinters[Int(random.next() % UInt64(splinters.count))], at: index)
        default: bytes.removeLast(bytes.count - index)
        }
    }
    return bytes
}

private let splinters = [
    "<", ">", "&", "\"", "'", "]]>", "<![CDATA[", "<!--", "-->", "<!-->", "<!--->", "</item>", "<item>", "<entry>",
    "</", "<?",
    "?>", "<?xml version='1.0'?>", "/>", "=", "='", "<a b=\"", "&eacute;", "&a;", "&#146;", "&#0;", "&#127;",
    "&#x1FFFE;",
    "&#;", "&#x00000000000000000000000000000000000000000000041;", "&#00", "<x:y:z/>", " xmlns:a=''", " a='1' a='1'",
    "<é>",
    "\u{0}", "\u{85}", "\r\n", "\u{FEFF}", "</channel>", "</rss>", "<!DOCTYPE rss [<!ENTITY a 'b'>]>", "<channel>",
    "<b>", "</b>",
].map { Array($0.utf8) }
