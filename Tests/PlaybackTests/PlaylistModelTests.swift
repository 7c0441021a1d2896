// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Media
import Testing

@testable import Playback

/// Random edits, seeks, pauses and arrivals. The test compares the played samples with the runs that describe them,
/// and their order with the playlist.
@Suite("Random playlist edits during playback")
struct PlaylistModelTests {
    /// A run of frames that was played.
    private struct PlayedRun {
        var run: FrameRun
        var frames: Int { Int(run.frames) }
    }

    private final class Listener {
        let stage: LoopStage
        private(set) var playedRuns: [PlayedRun] = []
        /// Frame counts at which the listener seeked or skipped; the run after such a point need not follow the one
        /// before.
        private var leaps: Set<Int> = [0]

        init(holding held: Int64) { stage = LoopStage(holding: held) }

        /// Pulls frames and compares them with the runs that describe them.
        func pull(_ frames: Int) {
            let samples = stage.sink.pull(frames)
            var rest = samples[...]
            while let part = stage.loop.audio.ring?.nextRendered() {
                stage.loop.output.timeline.append(part)
                let run = part.run
                guard run.frames > 0 else { continue }
                let count = Int(run.frames) * 2
                #expect(identical(Array(rest.prefix(count)), named(run)), "item \(run.item) at \(run.sourceFrame)")
                rest = rest.dropFirst(count)
                playedRuns.append(PlayedRun(run: run))
            }
            #expect(rest.isEmpty)
        }

        private func named(_ run: FrameRun) -> [Float] {
            let fixture = stage.fixtures[Int(run.item)]
            return fixture.samples(from: run.sourceFrame, to: run.sourceFrame + Int64(run.frames))
        }

        /// Removes the frames that the device discarded unplayed.
        /// - Parameter isElsewhere: True if the listener seeked or skipped.
        func forgetUnheard(isElsewhere: Bool = false) {
            let count = stage.sink.samples.count / 2
            if isElsewhere { leaps.insert(count) }
            var excess = playedRuns.reduce(0) { $0 + $1.frames } - count
            while excess > 0, var last = playedRuns.popLast() {
                let cut = min(excess, last.frames)
                excess -= cut
                last.run.frames -= Int32(cut)
                if last.run.frames > 0 { playedRuns.append(last) }
            }
        }

        /// Returns true if the runs from `first` on follow one another as the playlist says now.
        func isInOrder(from first: Int) -> Bool {
            var frames = playedRuns.prefix(max(0, first - 1)).reduce(0) { $0 + $1.frames }
            return zip(playedRuns.dropFirst(max(0, first - 1)), playedRuns.dropFirst(max(1, first))).allSatisfy {
                one, next in
                frames += one.frames
                return leaps.contains(frames) || follows(one.run, next.run)
            }
        }

        /// Returns a description of the last played runs and of the playlist.
        func story(from first: Int) -> String {
            let runs = playedRuns.dropFirst(max(0, first - 1)).map(\.run)
            let stretches = runs.map { "\($0.item) [\($0.generation)]: \($0.sourceFrame) + \($0.frames)" }
            let queue = stage.loop.queue
            return "\(stretches) in \(queue.items.map(\.id)), \(queue.repeatMode)"
        }

        private func follows(_ one: FrameRun, _ next: FrameRun) -> Bool {
            let end = one.sourceFrame + Int64(one.frames)
            if next.item == one.item, next.sourceFrame == end { return true }
            guard let item = stage.loop.queue.item(one.item), case .time(let last) = item.end,
                end == Fixture.cbr.format.frames(in: last),
                case .item(let successor) = stage.loop.queue.successor(of: one.item), successor.id == next.item,
                case .time(let start) = successor.start
            else { return false }
            return next.sourceFrame == Fixture.cbr.format.frames(in: start)
        }
    }

    @Test(
        "Every played sample matches its run; the runs follow the playlist without repetition or gap",
        arguments: 0..<LongTests.size(6, inFull: 400))
    func random(seed: Int) {
        var random = SeededGenerator(seed: UInt64(seed))
        let listener = Listener(holding: [0, 700, 6000][seed % 3])
        let stage = listener.stage
        for _ in 0..<6 { append(to: stage, &random) }
        if seed % 2 == 0 { stage.say(.closePlaylist) }
        for _ in 0..<250 {
            let before = listener.playedRuns.count
            listener.pull(Int.random(in: 0...3000, using: &random))
            #expect(listener.isInOrder(from: before), "\(listener.story(from: before))")
            for source in stage.list { source.release(more: Int.random(in: 0...900, using: &random)) }
            let isElsewhere = act(listener, &random)
            stage.work()
            listener.forgetUnheard(isElsewhere: isElsewhere)
            if stage.loop.machine.phase == .ended { break }
        }
        finish(listener)
    }

    private func append(to stage: LoopStage, _ random: inout SeededGenerator) {
        let fixture: Fixture = Bool.random(using: &random) ? .cbr : .vbr
        let start = Int64.random(in: 0..<30_000, using: &random)
        let length: Int64 = [300, 3000, 12_000].randomElement(using: &random) ?? 300
        let arrived = Bool.random(using: &random) ? nil : 4000
        let end = start + Int64.random(in: 200...length, using: &random)
        stage.append(fixture, start..<end, arrived: arrived)
    }

    /// - Returns: True if the action moved playback to another position.
    private func act(_ listener: Listener, _ random: inout SeededGenerator) -> Bool {
        let stage = listener.stage
        let count = stage.loop.queue.count
        let (one, other) = (Int.random(in: 0...count, using: &random), Int.random(in: 0...count, using: &random))
        // Update the displayed item first: an edit that affects it differs from an edit that affects later items.
        stage.loop.followDevice()
        let shown = stage.loop.displayed?.id
        switch Int.random(in: 0..<16, using: &random) {
        case 0: stage.say(.move(.position(one), to: other))
        case 1: stage.say(.remove(.position(one)))
        case 2: if count < 20 { append(to: stage, &random) }
        case 3: stage.say(.setRepeat(RepeatMode.allCases.randomElement(using: &random) ?? .off))
        case 4: stage.say(.pause)
        case 5, 6, 7: stage.say(.play)
        case 8 where Int.random(in: 0..<3, using: &random) == 0:
            let time = Fixture.cbr.format.duration(ofFrames: Int64.random(in: 0..<30_000, using: &random))
            guard let range = shown.flatMap(stage.loop.queue.item), case .time(let start) = range.start else { break }
            stage.say(.seek(.absolute(.time(max(start, time)))))
            return true
        case 9 where Int.random(in: 0..<3, using: &random) == 0:
            stage.say(Bool.random(using: &random) ? .next : .previous)
            return true
        default: break
        }
        // While an item is awaited, the following items are its successors.
        return stage.loop.current == nil || stage.loop.displayed?.id != shown
            || shown.map { !stage.loop.queue.contains($0) } ?? false
    }

    /// Plays to the end and expects that every item is released.
    private func finish(_ listener: Listener) {
        let stage = listener.stage
        for source in stage.list { source.release() }
        stage.say(.setRepeat(.off), .closePlaylist, .play)
        listener.forgetUnheard()
        for _ in 0..<600 where stage.loop.machine.phase != .ended {
            listener.pull(1000)
            stage.work()
            listener.forgetUnheard()
        }
        #expect(stage.loop.machine.phase == .ended)
        #expect(stage.events.contains(.ended), "\(stage.loop.machine) \(stage.loop.audio.bufferedFrames)")
        #expect(stage.loop.audio.items.isEmpty)
        let started = stage.news.filter { if case .itemStarted = $0 { true } else { false } }.count
        let ended = stage.news.filter { if case .itemEnded = $0 { true } else { false } }.count
        #expect(ended <= started)
        stage.loop.shutDown()
    }
}
