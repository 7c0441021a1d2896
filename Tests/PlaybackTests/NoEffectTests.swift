// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Commands that find no item or chapter")
struct NoEffectTests {
    /// Returns the commands that the player announces as without an effect, with the status of each.
    private func announced(
        _ stage: LoopStage, _ commands: () -> Void
    ) -> [(command: PlayerCommand, status: PlayerStatus)?] {
        let before = stage.events.count
        commands()
        return stage.events.dropFirst(before).map { event in
            if case .noEffect(let command, let status) = event { (command, status) } else { nil }
        }
    }

    @Test("\"next\" on the last item is announced with the status of that moment, and playback stays where it was")
    func lastItem() {
        let stage = LoopStage()
        let item = stage.append(.cbr, 0..<3000)
        stage.say(.closePlaylist)
        stage.play(1000)
        let found = announced(stage) { stage.say(.next) }
        #expect(found.count == 1 && found.first??.command == .next)
        #expect(found.first??.status.item == item && found.first??.status.canNext == false)
        #expect(stage.playOut())
        #expect(identical(stage.sink.samples, stage.references[0]))
    }

    @Test("The status shows the effect of the commands before: here, one that removed the next item")
    func removedItem() {
        let stage = LoopStage()
        let (first, second) = (stage.append(.cbr, 0..<3000), stage.append(.vbr, 0..<1000))
        stage.say(.closePlaylist)
        stage.play(1000)
        let found = announced(stage) { stage.say(.remove(.id(second.id)), .next) }
        #expect(found.count == 1 && found.first??.command == .next)
        #expect(found.first??.status.item == first && found.first??.status.itemCount == 1)
    }

    @Test("Before the first item, the status has none")
    func noItem() {
        let stage = LoopStage()
        let found = announced(stage) { stage.say(.next, .chapter(.next)) }
        #expect(found.map { $0?.command } == [.next, .chapter(.next)])
        #expect(found.allSatisfy { $0?.status.item == nil })
    }

    @Test("A chapter that does not exist is announced with the chapters")
    func chapters() {
        let chapters = ChapterStage()
        chapters.stage.play(1000)
        let found = announced(chapters.stage) {
            chapters.stage.say(.chapter(.number(9)), .chapter(.title("none")))
        }
        #expect(found.map { $0?.command } == [.chapter(.number(9)), .chapter(.title("none"))])
        #expect(found.allSatisfy { $0?.status.chapters != nil })
    }
}
