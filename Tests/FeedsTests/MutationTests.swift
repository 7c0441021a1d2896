// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import Testing

@Suite("Damaged feeds")
struct MutationTests {
    @Test("Random damage never traps, and the result does not depend on the pieces", arguments: Fixture.all)
    func survivesDamage(_ fixture: Fixture) throws {
        let original = try fixture.bytes()
        var random = SeededGenerator(seed: original.reduce(UInt64(original.count)) { $0 &* 31 &+ UInt64($1) })
        for _ in 0..<12 {
            let damaged = Self.damage(original, &random)
            let length = Int(random.next() % 40) + 1
            let whole = outcome(of: damaged)
            #expect(outcome(of: damaged, pieces: [length]) == whole, "in pieces of \(length)")
            if let feed = whole.feed { #expect(Self.isClean(FeedDocument(feed).bytes)) }
        }
    }

    private static func damage(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
        var bytes = bytes
        for _ in 0..<(1 + Int(random.next() % 4)) where !bytes.isEmpty {
            let index = Int(random.next() % UInt64(bytes.count))
            let end = min(bytes.count, index + 1 + Int(random.next() % 24))
            switch random.next() % 5 {
            case 0: bytes[index] = UInt8(truncatingIfNeeded: random.next())
            case 1: bytes.removeSubrange(index..<end)
            case 2: bytes.insert(contentsOf: bytes[index..<end], at: index)
            case 3:
                bytes.insert(contentsOf: Self.splinters[Int(random.next() % UInt64(Self.splinters.count))], at: index)
            default: bytes.removeLast(bytes.count - index)
            }
        }
        return bytes
    }

    private static let splinters = [
        "<", ">", "&", "\"", "]]>", "<![CDATA[", "<!--", "-->", "</item>", "<item>", "&#0;", "&#x1F600;", "\u{0}", "<?",
        "</", "='", "<a b=\"", "{", "}", "[", "]", ",", ":", "\\", "\\ud83c", "\\u00", "<entry>", "<![CDATA[<div>",
    ].map { Array($0.utf8) }

    private static func isClean(_ json: [UInt8]) -> Bool {
        json.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
