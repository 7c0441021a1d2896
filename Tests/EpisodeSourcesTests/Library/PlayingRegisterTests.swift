// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import EpisodeSources
import Testing

@Suite("Several players of one episode")
struct PlayingRegisterTests {
    private let folder: ScratchDirectory

    init() throws { folder = ScratchDirectory() }

    private func register() throws -> PlayingRegister {
        try #require(PlayingRegister(path: folder.path + "/playing"))
    }

    @Test("The second player of an episode detects the first, and its positions are saved")
    func second() throws {
        let (first, second) = (try register(), try register())
        #expect(!first.begin(7) && first.counts(7))
        #expect(second.begin(7))
        #expect(second.counts(7) && !first.counts(7))
    }

    @Test("Players of other episodes do not affect each other")
    func others() throws {
        let (first, second) = (try register(), try register())
        #expect(!first.begin(7) && !second.begin(8))
        #expect(first.counts(7) && second.counts(8))
    }

    @Test("The positions of the most recently used player are saved")
    func claims() throws {
        let (first, second) = (try register(), try register())
        _ = (first.begin(7), second.begin(7))
        first.claim(7)
        #expect(first.counts(7) && !second.counts(7))
    }

    @Test("When a player ends, the positions of the remaining one are saved")
    func gone() throws {
        let first = try register()
        _ = first.begin(7)
        do {
            let second = try register()
            #expect(second.begin(7) && !first.counts(7))
        }
        #expect(first.counts(7))
        let third = try register()
        _ = third.begin(7)
        third.end(7)
        #expect(first.counts(7))
    }

    @Test("A register that cannot be opened is `nil`, and extreme numbers are accepted")
    func absurd() throws {
        #expect(PlayingRegister(path: folder.path + "/no/folder") == nil)
        let register = try register()
        for episode in [-1, Int64.max, .min, 1 << 33] {
            #expect(!register.begin(episode) && register.counts(episode))
            register.end(episode)
        }
    }
}
