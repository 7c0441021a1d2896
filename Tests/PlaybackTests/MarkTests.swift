// SPDX-License-Identifier: GPL-3.0-or-later
import EarshotTestSupport
import Media
import Testing

@testable import Playback

@Suite("Bookmarks of the sound three seconds ago")
struct MarkTests {
    /// Returns a stage that has played an item for five seconds.
    private func stage(arrived: Int? = nil) -> LoopStage {
        let stage = LoopStage()
        stage.append(.longCBR, arrived: arrived)
        stage.say(.closePlaylist)
        stage.play(5 * 44_100)
        return stage
    }

    private func mark(_ stage: LoopStage) throws -> Duration {
        stage.say(.mark(note: nil))
        return try #require(
            stage.news.compactMap { if case .marked(_, let place, _, _, _) = $0 { place } else { nil } }.last)
    }

    /// Returns true if two times differ by at most this many milliseconds.
    private func isNear(_ one: Duration, _ other: Duration, within limit: Double) -> Bool {
        abs((one - other) / .milliseconds(1)) <= limit
    }

    @Test("After a change of speed, each part of the three seconds counts at its own speed")
    func speeds() throws {
        let stage = stage()
        stage.say(.setSpeed(3))
        stage.play(4 * 44_100)
        stage.say(.setSpeed(1))
        stage.play(44_100)
        let position = try #require(stage.loop.position)
        let mark = try mark(stage)
        #expect(isNear(mark, position - .seconds(7), within: 150), "\(position), \(mark)")
    }

    @Test("A mark is not before the start of the item")
    func start() throws {
        let stage = LoopStage()
        stage.append(MemoryByteSource(Fixture.longCBR.bytes), from: .time(.seconds(5)))
        stage.say(.closePlaylist)
        stage.play(44_100)
        stage.say(.setSpeed(3))
        stage.play(22_050)
        let mark = try mark(stage)
        #expect(isNear(mark, .seconds(5), within: 100), "\(mark)")
    }

    @Test("A mark after a seek is not before its target")
    func seek() throws {
        let stage = stage()
        stage.say(.seek(.absolute(.time(.seconds(20)))))
        stage.play(44_100)
        let mark = try mark(stage)
        #expect(isNear(mark, .seconds(20), within: 100), "\(mark)")
        stage.play(4 * 44_100)
        let later = try self.mark(stage)
        #expect(isNear(later, .seconds(22), within: 100), "\(later)")
    }

    @Test("While a seek waits for bytes, a bookmark marks the sound three seconds before the last one")
    func waiting() throws {
        let stage = stage(arrived: Fixture.longCBR.bytes.count / 2)
        let position = try #require(stage.loop.position)
        stage.say(.seek(.absolute(.fraction(0.9))), .seek(.absolute(.time(Fixture.longCBR.duration - .seconds(1)))))
        #expect(stage.loop.seeks.pending != nil)
        let mark = try mark(stage)
        #expect(isNear(mark, position - .seconds(3), within: 1), "\(position), \(mark)")
    }

    @Test("After a seek during a pause, a mark is at its target")
    func paused() throws {
        let stage = stage()
        stage.say(.pause, .seek(.absolute(.time(.seconds(20)))))
        #expect(stage.loop.seeks.pending != nil)
        let mark = try mark(stage)
        #expect(mark == .seconds(20))
    }

    @Test("After a seek to an estimated place during a pause, a bookmark marks the sound before the pause")
    func pausedAtEstimate() throws {
        let stage = stage(arrived: Fixture.longCBR.bytes.count / 2)
        let position = try #require(stage.loop.position)
        stage.say(.pause, .seek(.absolute(.fraction(0.9))))
        #expect(stage.loop.seeks.pending != nil)
        let mark = try mark(stage)
        #expect(isNear(mark, position - .seconds(3), within: 1), "\(position), \(mark)")
    }
}
