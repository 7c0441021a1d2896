// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media
import Synchronization
import Testing

private func file(_ name: Int = 1, _ frames: Int64 = 100) -> ScheduledFile {
    ScheduledFile(NumberedReader(name, frames: frames))
}

@Suite("ScheduledFilePlayer") struct ScheduledFilePlayerTests {
    @Test("A region plays frame by frame at its scheduled time, anywhere in a period", arguments: [
        (0, 0, 100), (63, 0, 100), (64, 0, 100), (65, 0, 100), (0, 1, 100), (65, 1, 100), (0, 1000, 100), (64, 0, 1),
        (63, 1, 1), (65, 1000, 1), (1, 1000, 64), (0, 3, 5000),
    ] as [(Int64, Int, Int64)])
    func periods(time: Int64, loopCount: Int, frames: Int64) throws {
        let desk = RegionPlayerFixture()
        let id = try desk.schedule(
            FileRegion(file(1, frames + 7), startFrame: 5, frames: frames, loopCount: loopCount, at: time),
            kinds: [.dataRead, .rendered, .heard])
        desk.player.start()
        let end = Int(time) + (loopCount + 1) * Int(frames)
        let pass = heard(1, 5..<5 + frames)
        let expected = silence(Int(time)) + Array(repeating: pass, count: loopCount + 1).flatMap { $0 } + silence(200)
        #expect(desk.render(end + 200, by: 64) == expected)
        #expect(desk.completions() == [.dataRead, .rendered, .heard].map {
            RegionCompletion(region: id, kind: $0, reason: .finished, frame: Int64(end))
        })
        #expect(desk.completions() == [] && desk.news() == [])
    }

    @Test("A region of 2³³ frames, and a thousand loops of it, are exact at their end", arguments: [
        (1 << 33, 0), (1 << 33, 1000), ((1 << 33) - 1, 100),
    ] as [(Int64, Int)])
    func long(frames: Int64, loopCount: Int) throws {
        let total = frames * Int64(loopCount + 1)
        let desk = RegionPlayerFixture()
        let id = try desk.schedule(FileRegion(file(1, 1 << 34), startFrame: 3, frames: frames, loopCount: loopCount))
        try desk.schedule(FileRegion(file(2)))
        #expect(desk.player.start(at: .sampleTime(-total + 100)))
        let expected = heard(1, 3 + frames - 100..<3 + frames) + heard(2, 0..<100) + silence(56)
        #expect(desk.render(256, by: 64) == expected)
        #expect(desk.completions().first == RegionCompletion(
            region: id, kind: .rendered, reason: .finished, frame: total))
        #expect(desk.news() == [.startedLate(by: total - 100)])
    }

    @Test("Regions without a time follow each other without a gap; before a region with a time there is silence")
    func chain() throws {
        let desk = RegionPlayerFixture()
        try desk.schedule(FileRegion(file(1), frames: 30))
        try desk.schedule(FileRegion(file(2), startFrame: 90))
        try desk.schedule(FileRegion(file(3), frames: 10, at: 50))
        try desk.schedule(FileRegion(file(1), startFrame: 30, frames: 10))
        desk.player.start()
        let expected = heard(1, 0..<30) + heard(2, 90..<100) + silence(10) + heard(3, 0..<10) + heard(1, 30..<40)
        #expect(desk.render(70, by: 7) == expected)
    }

    @Test("A region that begins later supersedes the current one, in any order of scheduling", arguments: [
        true, false,
    ])
    func superseding(inOrder: Bool) throws {
        let desk = RegionPlayerFixture()
        let regions = [FileRegion(file(1), at: 0), FileRegion(file(2), frames: 10, at: 40)]
        let ids = try (inOrder ? regions : regions.reversed()).map { region in try desk.schedule(region) }
        desk.player.start()
        #expect(desk.render(120, by: 64) == heard(1, 0..<40) + heard(2, 0..<10) + silence(70))
        let (early, late) = inOrder ? (ids[0], ids[1]) : (ids[1], ids[0])
        #expect(desk.completions() == [
            RegionCompletion(region: early, kind: .rendered, reason: .superseded, frame: 40),
            RegionCompletion(region: late, kind: .rendered, reason: .finished, frame: 50),
        ])
    }

    @Test("Of three regions with the same start the last one plays, and the others complete immediately")
    func equalStarts() throws {
        let desk = RegionPlayerFixture()
        let ids = try (1...3).map { try desk.schedule(FileRegion(file($0), at: 64), kinds: [.dataRead, .heard]) }
        let told = desk.completions()
        #expect(told.map(\.region) == [ids[0], ids[0], ids[1], ids[1]])
        #expect(told.allSatisfy { $0.reason == .superseded && $0.frame == 64 })
        desk.player.start()
        #expect(desk.render(192, by: 64) == silence(64) + heard(3, 0..<100) + silence(28))
        #expect(desk.completions().map(\.kind) == [.dataRead, .heard])
    }

    @Test("Frames read ahead are discarded when a region is scheduled before them")
    func scheduledWhilePlaying() throws {
        let desk = RegionPlayerFixture()
        try desk.schedule(FileRegion(file(1, 1000)))
        desk.player.start()
        desk.player.prime()
        #expect(desk.render(64) == heard(1, 0..<64))
        try desk.schedule(FileRegion(file(2), at: 70))
        #expect(desk.render(64) == heard(1, 64..<70) + heard(2, 0..<58))
        #expect(desk.news() == [])
    }

    @Test("No frame plays before the start time, and the play time counts up to it", arguments: [
        (StartTime.sampleTime(100), -100), (.sampleTime(0), 0), (.nextRender, nil),
    ] as [(StartTime, Int64?)])
    func playTime(start: StartTime, before: Int64?) throws {
        let desk = RegionPlayerFixture()
        try desk.schedule(FileRegion(file()))
        #expect(desk.player.currentPlayTime == nil)
        #expect(desk.player.start(at: start))
        #expect(desk.player.currentPlayTime == before)
        let first = Int(-(before ?? 0))
        let sound = heard(1, 0..<100) + silence(28)
        #expect(desk.render(128, by: 64) == silence(first) + sound.prefix(128 - first))
        #expect(desk.player.currentPlayTime == Int64(128 - first))
    }

    @Test("A start time can be set once; a host time requires a clock and is resolved at the first slice")
    func startTimes() throws {
        let clock = GraphClock(format: RegionPlayerFixture.format)
        let desk = RegionPlayerFixture(clock: clock)
        let moment = HostTime(nanoseconds: 1_002_000_000)
        #expect(!RegionPlayerFixture().player.start(at: .hostTime(moment)))
        #expect(desk.player.start(at: .hostTime(moment)))
        #expect(!desk.player.start())
        clock.note(AudioTimeStamp(sampleTime: 0, hostTime: HostTime(nanoseconds: 1_000_000_000)))
        try desk.schedule(FileRegion(file()))
        #expect(desk.render(100) == silence(96) + heard(1, 0..<4))
    }

    @Test("reset() removes regions and the start time, and each remaining completion is delivered once, as reset")
    func reset() throws {
        let desk = RegionPlayerFixture()
        let done = try desk.schedule(FileRegion(file(1), frames: 10))
        let cut = try desk.schedule(FileRegion(file(2)), kinds: Set(RegionCompletion.Kind.allCases))
        let never = try desk.schedule(FileRegion(file(3), at: 5000))
        desk.player.start()
        _ = desk.render(64)
        desk.player.reset()
        #expect(desk.completions().map { [$0.region: $0.reason] } == [
            [done: .finished], [cut: .finished], [cut: .reset], [cut: .reset], [never: .reset],
        ])
        #expect(desk.render(64) == silence(64) && desk.player.currentPlayTime == nil)
        try desk.schedule(FileRegion(file(2)))
        desk.player.start(at: .sampleTime(130))
        #expect(desk.render(64) == silence(2) + heard(2, 0..<62))
    }

    @Test("A released player completes its regions as reset")
    func letGo() throws {
        let told = RegionPlayerFixture.Reports()
        do {
            let desk = RegionPlayerFixture()
            try desk.player.schedule(FileRegion(file())) { end in told.completions.withLock { $0.append(end) } }
        }
        #expect(told.completions.withLock { $0.map(\.reason) } == [.reset])
    }

    @Test("The \"heard\" completion is delivered when, by the clock, the last frame has left the device")
    func heardKind() throws {
        let clock = GraphClock(format: RegionPlayerFixture.format)
        let time = ManualMoment()
        let desk = RegionPlayerFixture(clock: clock, now: { time.now })
        try desk.schedule(FileRegion(file(1), frames: 48), kinds: [.rendered, .heard])
        desk.player.start()
        // Each frame is played 10 ms after it is rendered.
        clock.note(AudioTimeStamp(sampleTime: 0, hostTime: HostTime(nanoseconds: 10_000_000)))
        _ = desk.render(96)
        #expect(desk.completions().map(\.kind) == [.rendered])
        time.now = HostTime(nanoseconds: 10_900_000)
        #expect(desk.completions() == [])
        time.now = HostTime(nanoseconds: 11_000_000)
        #expect(desk.completions().map(\.kind) == [.heard])
    }
}
