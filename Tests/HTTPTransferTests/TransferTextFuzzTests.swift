// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import HTTPTransfer

/// Valid text from servers and feeds with random damage: parsing never traps and stays within bounds.
@Suite("Randomly damaged text from servers")
struct TransferTextFuzzTests {
    private static let seeds = Array(UInt64(1)...4)

    /// Returns a seed text with some bytes changed, duplicated, dropped or cut off.
    private func spoilt(_ seeds: [String], _ random: inout SeededGenerator) -> String {
        var bytes = Array((seeds.randomElement(using: &random) ?? "").utf8)
        for _ in 0..<Int.random(in: 0...6, using: &random) where !bytes.isEmpty {
            let index = Int.random(in: 0..<bytes.count, using: &random)
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes[index] = UInt8.random(in: 0...255, using: &random)
            case 1: bytes.insert(contentsOf: bytes[index...].prefix(20), at: index)
            case 2: bytes.remove(at: index)
            case 3: bytes.removeSubrange(index...)
            default: bytes.insert(contentsOf: Array("999999999999999999999"[...].utf8), at: index)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test("Damaged Content-Range fields", arguments: seeds)
    func contentRange(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<5000 {
            let text = spoilt(["bytes 0-499/1234", "bytes */1234", "bytes 5-9/*", "BYTES  0-0/1"], &random)
            guard let range = ContentRange(headerText: text) else { continue }
            if let part = range.range { #expect(part.lowerBound >= 0 && !part.isEmpty) }
            if let total = range.total { #expect(total >= range.range?.upperBound ?? 0) }
        }
    }

    @Test("Damaged Retry-After fields and HTTP dates", arguments: seeds)
    func dates(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let texts = [
            "Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994", "120", "0",
        ]
        for _ in 0..<5000 {
            let (asked, now) = (spoilt(texts, &random), spoilt(texts, &random))
            let head = ResponseHead(status: 503, fields: ["Retry-After": asked, "Date": now], finalURL: "")
            if let delay = head.retryDelay { #expect(delay >= .zero && delay <= .seconds(3600)) }
        }
    }

    @Test("Damaged addresses and Locations: an accepted one is http or https and shows no password", arguments: seeds)
    func addresses(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let base = try WebAddress.parse("https://a.example/x/y?z").0
        let texts = [
            "https://me:secret@b.example:8080/e.mp3?a=b#c", "//me:secret@b.example/x", "../e f.mp3", "?q", "#f",
            "http://[::1]:80/ü", "ftp://b.example/", "http://0x7f.1/", "https://xn--mller-kva.example/..//../",
        ]
        for _ in 0..<3000 {
            let text = spoilt(texts, &random)
            guard let (address, _) = try? WebAddress.parse(text, relativeTo: base) else { continue }
            #expect(address.text.hasPrefix("https://") || address.text.hasPrefix("http://"), "\(text)")
            #expect(address.text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "\(text)")
            #expect((1...65535).contains(address.origin.port) || address.origin.port == 0, "\(text)")
            let again = try WebAddress.parse(address.text)
            #expect(again.0.origin == address.origin && again.1 == nil, "\(text)")
        }
    }

    @Test("A redacted address never shows the password, in any notation", arguments: seeds)
    func redacted(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        let marks = Array("/?#@:\\ %ü".map(String.init))
        for _ in 0..<3000 {
            let start = ["https://", "http:/", "//", "", "HTTP://"].randomElement(using: &random) ?? ""
            let middle = (0..<3).map { _ in marks.randomElement(using: &random) ?? "" }
            let login = "me:SECRET" + middle.prefix(Int.random(in: 0...3, using: &random)).joined()
            let url = start + login + "@b.example/e?token=SECRET"
            #expect(!RedactedURL(url).description.contains("SECRET"), "\(url)")
        }
    }

    @Test("Random bytes as header lines and as a page", arguments: seeds)
    func bytes(seed: UInt64) {
        var random = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let count = Int.random(in: 0...300, using: &random)
            let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &random) }
            var collector = HeadCollector()
            for line in bytes.split(separator: 0x0A) { _ = line.withUnsafeBytes { collector.append($0) } }
            let head = ResponseHead(status: 200, fields: collector.fields, finalURL: "")
            _ = (head.contentLength, head.hasTwoLengths, head.validator, head.contentType, head.contentCoding)
            let text = PageText.of(bytes.filter { $0 >= 0x20 }, urls: ["http://a/?\(seed)"])
            #expect(text?.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control } ?? true)
        }
    }

    @Test("Damaged Set-Cookie fields: the resulting Cookie field is one line", arguments: seeds)
    func cookies(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let origin = try WebAddress.parse("http://a.example/").0.origin
        var jar = CookieJar()
        let lines = ["a=b; Path=/; Max-Age=9", "c=d", "e=f; max-age=0; x"]
        for _ in 0..<3000 {
            jar.keep(["Set-Cookie": spoilt(lines, &random)], from: origin)
            #expect(jar.field(for: origin)?.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } ?? true)
        }
    }
}
