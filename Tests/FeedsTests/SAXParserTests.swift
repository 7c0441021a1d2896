// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import Feeds

/// Keeps what it is told, as lines.
private final class CapturingReceiver: SAXReceiver {
    private(set) var lines: [String] = []

    func elementStarted(_ name: SAXName, _ attributes: SAXAttributes) {
        let values = attributes.copied().all.map { " \($0.name)=\(String(decoding: $0.value, as: UTF8.self))" }
        lines.append("<" + String(cString: name.local) + values.joined())
    }

    func elementEnded() {
        lines.append(">")
    }

    func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>) {
        lines.append(String(decoding: bytes, as: UTF8.self))
    }
}

@Suite("SAXParser")
struct SAXParserTests {
    private let receiver = CapturingReceiver()

    private func parser(_ document: String) throws -> SAXParser {
        let parser = try #require(SAXParser(receiver: receiver))
        parser.parse(Array(document.utf8))
        parser.finish()
        return parser
    }

    @Test("elements, attributes and text come in order; an escaped ampersand is one ampersand")
    func reports() throws {
        let parser = try parser("<a x=\"1&amp;2&lt;&amp;#38;\">t<![CDATA[u]]><b/></a>")
        #expect(receiver.lines == ["<a x=1&2<&#38;", "t", "u", "<b", ">", ">"])
        #expect(parser.health == .sound)
    }

    @Test(
        "a declared entity stops it before anything is expanded or opened",
        arguments: ["<!ENTITY e 'boom'>", "<!ENTITY e SYSTEM 'file:///etc/hostname'>", "<!ENTITY % e 'boom'>"])
    func refusesEntities(_ declaration: String) throws {
        let parser = try parser("<!DOCTYPE a [\(declaration)]><a>&e;</a>")
        #expect(parser.health == .entityDeclared)
        #expect(receiver.lines.isEmpty)
    }

    @Test("where libxml2 gives up, it says why, and takes no more")
    func reportsStop() throws {
        let parser = try #require(SAXParser(receiver: receiver))
        parser.parse(Array("no markup at all, which is fatal".utf8))
        parser.parse(Array("<a/>".utf8))
        guard case .stopped(let reason) = parser.health else {
            Issue.record("\(parser.health)")
            return
        }
        #expect(!reason.isEmpty)
        #expect(receiver.lines.isEmpty)
    }
}
