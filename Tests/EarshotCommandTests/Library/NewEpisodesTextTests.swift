// SPDX-License-Identifier: GPL-3.0-or-later
import Testing

@testable import TerminalInterface

@Suite("The text of a notification about new episodes")
struct NewEpisodesTextTests {
    @Test("Without new episodes there is no notification")
    func none() {
        var news = NewEpisodesText()
        news.add(0, [], of: "Tales")
        #expect(news.title == nil)
    }

    @Test("One episode has its title")
    func one() {
        var news = NewEpisodesText()
        news.add(1, ["Fog"], of: "Tales")
        #expect(news.title == "1 new episode" && news.text == "Tales: Fog")
    }

    @Test("The first three titles of several podcasts are listed, and the others are counted")
    func several() {
        var news = NewEpisodesText()
        news.add(2, ["Fog", "Tide"], of: "Tales")
        news.add(9, ["Whales", "Seals", "Gulls"], of: "Sea News")
        #expect(news.title == "11 new episodes")
        #expect(news.text == "Tales: Fog\nTales: Tide\nSea News: Whales\nand 8 more")
    }
}
