// SPDX-License-Identifier: GPL-3.0-or-later
@testable import MPEGAudio
import Testing

/// Lower case is 3 minutes of content, upper case half a minute of advertisement, and `1` to `9` half a second of
/// content.
@Suite("Continuation")
struct ContinuationTests {
    enum Outcome: Equatable { case at, notYet, unrelated }

    /// A bar in the old version marks the end of the played part (default: the end); in the new one, the
    /// continuation.
    struct Row: CustomTestStringConvertible {
        let title: String
        let old: String
        let new: String
        let isWhole: Bool
        let outcome: Outcome

        init(_ title: String, _ old: String, _ new: String, isWhole: Bool = false, _ outcome: Outcome = .at) {
            (self.title, self.old, self.new) = (title, old, new)
            (self.isWhole, self.outcome) = (isWhole, outcome)
        }

        var testDescription: String { "\(title): \(old) and \(new)" }
    }

    static let found: [Row] = [
        Row("interrupted in content", "Aab", "Bab|"),
        Row("different break before the content", "AaBb", "CDEaFb|"),
        Row("the old end is in the middle of the new version", "Aab", "Bab|cd"),
        Row("half a second after a break", "AaB1", "AaCD1|"),
        Row("interrupted in a break, enough content after it", "AabC", "Bab|DcdEef"),
        Row("interrupted in a break, the new version complete", "AabC", "Bab|DcE", isWhole: true),
        Row("interrupted in a break that was removed", "AabC", "Bab|cdefg"),
        Row("interrupted in an advertisement of both versions", "AabC", "BabC|"),
        Row("interrupted in a break whose last advertisement is in both", "aBC", "aDEC|Fb"),
        Row("interrupted before the content", "A", "|BCabcdef"),
        Row("nothing was played", "", "|A"),
        Row("the advertisement moved to a later break", "abX", "ab|cdefXgh"),
        Row("two advertisements moved to a later break with another between them", "abXY", "ab|cdefXZYgh"),
        Row("the advertisement moved to an earlier break", "abcdeX", "aXbcde|fghi"),
        Row("the same advertisement in two breaks, once in the new version", "XabcX", "Xabc|Ydefg"),
        Row("the end of the old version is repeated later", "a12", "aB12|c12"),
        Row("silence on both sides of the break", "ab..C", "ab..|DcdEfg"),
        Row("shortened at the end", "abcde", "abc|", isWhole: true),
        Row("shortened at the end, with a break after it", "abcde", "abc|XYZ", isWhole: true),
        Row("not played to its end", "Aab|cd", "Bab|"),
        Row("not played to its end, in a break", "AabC|Dcd", "Bab|EcF"),
        Row("not played to its end, in the first break", "A|Bab", "|Ca"),
        Row("a completely played break is skipped", "AabC|cd", "BabD|c"),
        Row("a completely played break, none in the new version", "AabC|cd", "Bab|c"),
        Row("a break ahead", "Aab|Ccd", "Bab|D"),
    ]

    static let open: [Row] = [
        Row("nothing received", "Aab", "", .notYet),
        Row("too few bytes received", "Aab", "Ba", .notYet),
        Row("a break ahead of the content", "Aab", "BCD", .notYet),
        Row("in a break, too little content after it", "AabC", "BabDc", .notYet),
        Row("in a break, no content after it", "AabC", "Bab", .notYet),
        Row("the advertisement comes too early", "abcdX", "aX", .notYet),
        Row("different content from the start", "abc", "ABCDEFGHIJKLMN", .unrelated),
        Row("different content, the new version complete and short", "abc", "A", isWhole: true, .unrelated),
        Row("only the advertisement is in both", "Aabcd", "AEFGHIJKLMNOPQRSTUVW", .unrelated),
        Row("only silence is in both", "....", "...................", .unrelated),
    ]

    private static func version(_ text: String) -> LetteredVersion {
        LetteredVersion(text.filter { $0 != "|" }) { $0.isNumber ? 20 : $0.isLowercase || $0 == "." ? 6900 : 1150 }
    }

    private static func bar(_ text: String) -> Int? {
        text.firstIndex(of: "|").map { text.distance(from: text.startIndex, to: $0) }
    }

    private static func expected(_ row: Row) -> Continuation {
        switch row.outcome {
        case .at: .at(version(row.new).start(of: bar(row.new) ?? 0))
        case .notYet: .notYet
        case .unrelated: .unrelated
        }
    }

    @Test("The continuation follows from both versions", arguments: found + open)
    func told(row: Row) {
        let old = Self.version(row.old)
        let heard = Self.bar(row.old).map { old.start(of: $0) } ?? old.hashes.count
        let alignment = VersionAlignment(old: old.hashes, new: Self.version(row.new).hashes)
        #expect(alignment.continuation(from: heard, newIsWhole: row.isWhole) == Self.expected(row))
    }

    @Test("The continuation is the same if the new version arrives in pieces", arguments: found + open)
    func growing(row: Row) {
        let old = Self.version(row.old)
        var finder = ContinuationFinder(old: old.hashes, packet: Self.bar(row.old).map { old.start(of: $0) })
        var answer = Continuation.notYet
        Self.version(row.new).hashes.arriving(seed: 5) { new, isLast in
            answer = finder.extend(with: new, isWhole: isLast && row.isWhole)
            return answer == .notYet
        }
        #expect(answer == Self.expected(row))
    }

    @Test("Eight packets after a break are found again at any position", arguments: 8...16)
    func shortest(length: Int) {
        for before in 100..<108 {
            let lengths: (Character) -> Int = { $0 == "b" ? length : before }
            let old = LetteredVersion("aAb", length: lengths).hashes
            let new = LetteredVersion("aBb", length: lengths).hashes
            var finder = ContinuationFinder(old: old)
            #expect(finder.extend(with: new, isWhole: false) == .at(new.count))
        }
    }

    @Test("A packet outside the old version is clamped to it")
    func outside() {
        let (old, new) = (Self.version("ab").hashes, Self.version("Aab").hashes)
        for (packet, place) in [(Int64.min, 1150), (-1, 1150), (.max, new.count)] {
            var finder = ContinuationFinder(old: old, packet: packet)
            #expect(finder.extend(with: new, isWhole: true) == .at(place))
        }
    }
}
