// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Feeds
import SQLDatabase
import Testing

@testable import EpisodeLibrary

@Suite("Search in every script")
struct SearchScriptTests {
    /// The stored text, the typed words, and the expected result.
    static let cases: [(text: String, words: String, isFound: Bool)] = [
        // Japanese, Chinese, Korean: any part of a run of characters.
        ("第1回：港の雨と長い長いタイトルのテスト、まだまだ続く", "雨", true),
        ("第1回：港の雨と長い長いタイトルのテスト、まだまだ続く", "長い", true),
        ("第1回：港の雨と長い長いタイトルのテスト、まだまだ続く", "テスト", true),
        ("第1回：港の雨と長い長いタイトルのテスト、まだまだ続く", "港の雨 続く", true),
        ("第1回：港の雨と長い長いタイトルのテスト、まだまだ続く", "第１回", true),
        ("第1回：港の雨と長い長いタイトルのテスト、まだまだ続く", "ﾃｽﾄ", true),
        ("第1回：港の雨と長い長いタイトルのテスト、まだまだ続く", "く", true),
        ("第1回：港の雨と長い長いタイトルのテスト、まだまだ続く", "雨長", false),
        ("東京の夜、京都の朝", "東京都", false),
        ("NHKラジオ深夜便", "nhkラジオ", true),
        ("NHKラジオ深夜便", "ラジオ nhk", true),
        ("ＮＨＫ　ニュース７", "nhk 7", true),
        ("か\u{3099}っこう", "がっこう", true),
        ("カレー", "ガ", false),
        ("北京的天气", "天气", true),
        ("초등학교에서", "학교", true),
        ("초등학교에서", "\u{1112}\u{1161}\u{11A8}교", true),
        // Scripts of Southeast Asia.
        ("ข่าวกรุงเทพวันนี้", "กรุงเทพ", true),
        ("ข่าวกรุงเทพวันนี้", "เชียงใหม่", false),
        ("ຂ່າວວຽງຈັນ", "ວຽງຈັນ", true),
        ("ព័ត៌មានភ្នំពេញ", "ភ្នំពេញ", true),
        ("မြန်မာသတင်း", "သတင်း", true),
        // Arabic.
        ("والميناء القديم", "الميناء", true),
        ("والميناء القديم", "ميناء", true),
        ("ميناء قديم", "الميناء القديم", true),
        ("الميناء", "المي", true),
        ("الميناء", "مي", true),
        ("الميناء", "سفينة", false),
        ("مُحَمَّد", "محمد", true),
        ("محمد", "مُحَمَّد", true),
        ("أحمد في المدرسة", "احمد مدرسه", true),
        ("على", "علي", true),
        ("كتـــاب", "کتاب", true),
        ("بسم الله", "الله", true),
        ("كتب له", "الله", false),
        ("الحلقة ٤١٧", "417", true),
        // Hebrew.
        ("שָׁלוֹם עוֹלָם", "שלום", true),
        ("שלום", "שָׁלוֹם", true),
        // Latin letters that do not decompose, Greek, Cyrillic, Devanagari.
        ("Martin Ødegård", "odegard", true),
        ("Martin Odegard", "ødegård", true),
        ("MARTIN ØDEGÅRD", "martin ødeg", true),
        ("Łódź", "lodz", true),
        ("Straße nach Gießen", "strasse giessen", true),
        ("STRASSE", "straße", true),
        ("Encyclopædia", "encyclopaedia", true),
        ("Þór", "thor", true),
        ("Đorđe", "dorde", true),
        ("Işık", "isik", true),
        ("İstanbul", "istanbul", true),
        ("Cafe\u{301}", "café", true),
        ("Việt Nam", "viet", true),
        ("Ёлка", "елка", true),
        ("елка", "ЁЛКА", true),
        ("Οδυσσεύς", "οδυσσευσ", true),
        ("ΟΔΥΣΣΕΎΣ", "Οδυσσεύς", true),
        ("हिन्दी समाचार", "हिन्दी", true),
        ("हिन्दी समाचार", "समा", true),
        ("𝐁𝐨𝐥𝐝 ﬁlm", "bold film", true),
        ("co\u{AD}operate", "cooperate", true),
        ("don't", "don", true),
    ]

    /// An indexed library with the text of each case as a title and as notes.
    private static let library = Result {
        let stage = try LibraryStage()
        try stage.merge(
            cases.enumerated().map { .numbered($0, title: $1.text, notes: "<p>x</p>") }, into: try stage.subscribe())
        try stage.merge(
            cases.enumerated().map { .numbered($0, title: "x", notes: "<p>\($1.text)</p>") },
            into: try stage.subscribe("https://b.example/f"))
        while try stage.library.indexSome() > 0 {}
        return stage
    }

    @Test("A word is found in a title and in notes, in any script, and in no other text", arguments: cases.indices)
    func everyScript(index: Int) throws {
        let (text, words, isFound) = Self.cases[index]
        // A name is also found before the index contains it.
        let query = try #require(SearchQuery(words))
        #expect(query.matches(text, isWhole: false) == isFound)
        #expect(!isFound || query.firstHit(in: text) != nil)
        let found = try Self.library.get().library.search(words, limit: 200).map(\.guid)
        #expect(found.count { $0 == "g\(index)" } == (isFound ? 2 : 0), "\(words) in \(text)")
        let matching = Self.cases.indices.filter { query.matches(Self.cases[$0].text, isWhole: false) }
        #expect(found.sorted() == (matching + matching).map { "g\($0)" }.sorted())
    }

    @Test("The index and a direct comparison find the same words in any text", arguments: [1, 2, 3] as [UInt64])
    func sameAnswer(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let letters = Array("ab é雨港のテ스กุ الو1\u{301}-ßは\u{3099}").map(String.init)
        let some = { (random: inout SeededGenerator) in
            (0..<Int.random(in: 1...7, using: &random)).map { _ in letters.randomElement(using: &random) ?? "" }
                .joined()
        }
        let texts = (0..<60).map { _ in some(&random) + " " + some(&random) }
        let stage = try LibraryStage()
        try stage.merge(
            texts.enumerated().map { .numbered($0 + 1, title: $1, notes: "<p>!</p>") }, into: try stage.subscribe())
        while try stage.library.indexSome() > 0 {}
        for _ in 0..<300 {
            let words = some(&random)
            let matching = SearchQuery(words).map { query in texts.count { query.matches($0, isWhole: false) } } ?? 0
            #expect(try stage.library.search(words, limit: 100).count == matching, "\(words)")
        }
    }

    @Test("The hit is the range of the matched letters, not of their whole run")
    func place() throws {
        let text = "むかしむかし、港の雨はつめたい"
        let hit = try #require(SearchQuery("雨")?.firstHit(in: text))
        #expect(text[hit] == "雨")
        let name = "Her er Martin Ødegård."
        #expect(try #require(SearchQuery("odegard")?.firstHit(in: name).map { name[$0] }) == "Ødegård")
    }

    @Test("An episode can be named before it is indexed, even if the library cannot be written")
    func waiting() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(2, title: "港の雨"), .numbered(1, title: "Fog")], into: try stage.subscribe())
        try stage.library.database.writeWithoutTransaction { try $0.execute(sql: "PRAGMA query_only = ON") }
        #expect(try stage.library.episode(named: "雨").name == "港の雨")
        #expect(try stage.library.episode(named: "fog").name == "Fog")
    }

    @Test("Hits in unsubscribed podcasts do not displace others")
    func crowd() throws {
        let stage = try LibraryStage()
        try stage.merge([.numbered(1, title: "Storm")], into: try stage.subscribe())
        let other = try stage.subscribe("https://other.example/feed")
        try stage.merge((1...300).map { .numbered($0, title: "Storm \($0)") }, into: other)
        while try stage.library.indexSome() > 0 {}
        try stage.library.unsubscribe(other)
        #expect(try stage.library.search("storm", limit: 9).map(\.name) == ["Storm"])
    }
}
