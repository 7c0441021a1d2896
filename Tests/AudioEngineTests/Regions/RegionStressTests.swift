// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Glibc
import Media
import Synchronization
import Testing

/// Returns the first frame whose right sample contains the file's name.
private func base(_ name: Int) -> Int64 { Int64(name) << 16 }

private final class Tally: Sendable {
    let ends = Mutex<[RegionID: [RegionCompletion.Kind]]>([:])
    let wrong = Atomic<Int>(0)
    let sounding = Atomic<Int>(0)
    let slices = Atomic<Int>(0)
    let allowed = Atomic<Int>(0)
    let isDone = Atomic<Bool>(false)
}

@Suite("ScheduledFilePlayer between threads") struct RegionStressTests {
    @Test("Under concurrent scheduling, priming and resets no frame is torn, and each end is reported once")
    func edits() throws {
        let tally = Tally()
        let events = EventThread(every: .milliseconds(1))
        let reading = EventThread(every: .milliseconds(1))
        let player = ScheduledFilePlayer(
            format: RegionPlayerFixture.format, late: .playLate, lead: 64, capacity: 512, events: events,
            reading: reading)
        let files = (1...3).map { name in
            ScheduledFile(NumberedReader(name, frames: base(name) + 1000, block: 100))
        }
        let renderer = try #require(WorkerThread.start { Self.render(player, tally) })
        var random = SeededGenerator(seed: 7)
        var scheduled: [RegionID] = []
        for round in 0..<3000 {
            // Keep both threads within a few slices of each other, with frames primed even if reading is slow.
            player.prime(frames: 400)
            tally.allowed.store(4 * round, ordering: .relaxed)
            while tally.slices.load(ordering: .relaxed) < 4 * round - 12 { player.prime(frames: 400) }
            let name = Int.random(in: 1...3, using: &random)
            let time = (player.currentPlayTime ?? 0) + Int64.random(in: 0...600, using: &random)
            scheduled.append(
                try player.schedule(
                    FileRegion(
                        files[name - 1], startFrame: base(name), frames: Int64.random(in: 1...900, using: &random),
                        loopCount: 2, at: max(0, time)),
                    kinds: Set(RegionCompletion.Kind.allCases)
                ) { end in tally.ends.withLock { $0[end.region, default: []].append(end.kind) } })
            if round % 100 == 99 { player.reset() }
            if player.currentPlayTime == nil { player.start() }
        }
        tally.isDone.store(true, ordering: .releasing)
        renderer.join()
        player.reset()
        events.close()
        reading.close()
        #expect(tally.wrong.load(ordering: .relaxed) == 0 && tally.sounding.load(ordering: .relaxed) > 10_000)
        let ends = tally.ends.withLock { $0 }
        #expect(ends.count == scheduled.count && ends.values.allSatisfy { $0.count == 3 && Set($0).count == 3 })
    }

    private static func render(_ player: ScheduledFilePlayer, _ tally: Tally) {
        var output = [Float](repeating: 0, count: 128)
        var frame: Int64 = 0
        while !tally.isDone.load(ordering: .acquiring) {
            guard tally.slices.load(ordering: .relaxed) < tally.allowed.load(ordering: .relaxed) else {
                sched_yield()
                continue
            }
            output.withUnsafeMutableBufferPointer { buffer in
                guard let start = buffer.baseAddress else { return }
                _ = player.pull(into: start, frames: 64, at: frame)
            }
            frame += 64
            tally.slices.add(1, ordering: .relaxed)
            for index in 0..<64 {
                guard let heard = RenderedFrame(output[index * 2], output[index * 2 + 1]) else { continue }
                tally.sounding.add(1, ordering: .relaxed)
                if heard.frame >> 16 != Int64(heard.file) { tally.wrong.add(1, ordering: .relaxed) }
            }
        }
    }
}
