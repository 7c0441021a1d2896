// SPDX-License-Identifier: GPL-3.0-or-later
import Feeds
import Testing

@Suite("Answers of directories")
struct DirectoryDocumentTests {
    private func entries(_ text: String) -> [DirectoryEntry]? {
        Array(text.utf8).withUnsafeBytes(DirectoryDocument.parse)?.entries
    }

    @Test("An answer lists podcasts with their feeds")
    func answer() {
        let text = """
            {"resultCount":3,"results":[
            {"wrapperType":"track","collectionName":"Harbour Tales","artistName":"The Harbour","trackCount":12,
             "genres":["Sea","x"],"feedUrl":"https://host.example/a.xml"},
            {"collectionName":"No feed"},
            {"collectionName":"Again","feedUrl":"https://host.example/a.xml"},
            {"collectionName":"Sea &amp; News","feedUrl":"http://host.example/b.xml","artistName":null,
             "trackCount":-1}]}
            """
        #expect(
            entries(text) == [
                DirectoryEntry(
                    title: "Harbour Tales", feedURL: "https://host.example/a.xml", author: "The Harbour",
                    episodeCount: 12),
                DirectoryEntry(title: "Sea & News", feedURL: "http://host.example/b.xml"),
            ])
    }

    @Test(
        "Another document is not an answer",
        arguments: ["", "Hello", "<html>x</html>", "[]", "{}", "{\"results\":{}}", "{\"a\":{\"results\":[]}}"])
    func other(text: String) {
        #expect(entries(text) == nil)
    }

    @Test("An answer may be empty, and one that was cut off is none")
    func cut() {
        #expect(entries("{\"results\":[]}") == [])
        let text = "{\"results\":[{\"collectionName\":\"A\",\"feedUrl\":\"http://h.example/\"}]}"
        for count in 0..<text.count { #expect(entries(String(text.prefix(count))) == nil) }
        #expect(entries(text)?.count == 1)
    }

    @Test("An answer has the first 500 podcasts and says if there are more", arguments: [499, 500, 501, 600])
    func many(count: Int) throws {
        let results = (0..<count).map { "{\"collectionName\":\"\($0)\",\"feedUrl\":\"http://h.example/\($0)\"}" }
        // A repeated feed is not another podcast.
        let text = "{\"results\":[\((results + results.prefix(1)).joined(separator: ","))]}"
        let answer = try #require(Array(text.utf8).withUnsafeBytes(DirectoryDocument.parse))
        #expect(answer.entries.count == min(count, 500) && answer.isCut == (count > 500))
        #expect(answer.entries.last?.title == "\(min(count, 500) - 1)")
    }

    @Test("An address has no user name and no password", arguments: ["me:pw@", "me@"])
    func credentials(userInfo: String) {
        let text = "{\"results\":[{\"collectionName\":\"A\",\"feedUrl\":\"http://\(userInfo)h.example/a\"}]}"
        #expect(entries(text) == [DirectoryEntry(title: "A", feedURL: "http://h.example/a")])
    }

    @Test(
        "A feed that is not on the web is left out", arguments: ["file:///etc/passwd", "javascript:x", "feed.xml", ""])
    func scheme(url: String) {
        #expect(entries("{\"results\":[{\"collectionName\":\"A\",\"feedUrl\":\"\(url)\"}]}") == [])
    }
}
