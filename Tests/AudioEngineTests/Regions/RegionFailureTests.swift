// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media
import Synchronization
import Testing

private func file() -> ScheduledFile { ScheduledFile(NumberedReader(1, frames: 100)) }

@Suite("Regions that cannot be played, or not in time") struct RegionFailureTests {
    @Test("An invalid region is refused when it is scheduled", arguments: [
        (FileRegion(file(), startFrame: -1), .negativeStartFrame(-1)),
        (FileRegion(file(), startFrame: 100), .noFrames(0)),
        (FileRegion(file(), startFrame: .max), .noFrames(100 - .max)),
        (FileRegion(file(), frames: 0), .noFrames(0)),
        (FileRegion(file(), startFrame: 50, frames: -20), .noFrames(-20)),
        (FileRegion(file(), startFrame: 50, frames: 51), .outsideFile(end: 101, length: 100)),
        (FileRegion(file(), frames: .max), .tooLong),
        (FileRegion(file(), loopCount: -1), .negativeLoopCount(-1)),
        (FileRegion(file(), loopCount: .max), .tooLong),
        (FileRegion(file(), at: -1), .beforeStart(-1)),
        (FileRegion(file(), at: .max), .tooLong),
        (FileRegion(file(), at: 1 << 50), .tooLong),
        (FileRegion(ScheduledFile(NumberedReader(1, frames: 9, says: .estimate(9)))), .unknownLength),
        (FileRegion(ScheduledFile(NumberedReader(1, frames: 9, says: .unknown)), startFrame: 3), .unknownLength),
        (
            FileRegion(ScheduledFile(NumberedReader(1, frames: 9, rate: 44_100))),
            .formatDiffers(file: AudioFormat(sampleRate: 44_100, channels: 2), player: RegionPlayerFixture.format)
        ),
    ] as [(FileRegion, RegionError)])
    func refused(region: FileRegion, error: RegionError) throws {
        let desk = RegionPlayerFixture()
        #expect(throws: error) { try desk.schedule(region) }
        #expect(desk.completions() == [])
    }

    @Test("No region can follow an endless one, but a region can supersede it")
    func endless() throws {
        let desk = RegionPlayerFixture()
        try desk.schedule(FileRegion(file(), frames: 10, loopCount: nil))
        #expect(throws: RegionError.followsEndless) { try desk.schedule(FileRegion(file())) }
        try desk.schedule(FileRegion(ScheduledFile(NumberedReader(2, frames: 5)), at: 25))
        desk.player.start()
        let expected = heard(1, 0..<10) + heard(1, 0..<10) + heard(1, 0..<5) + heard(2, 0..<5) + silence(2)
        #expect(desk.render(32) == expected)
    }

    @Test("After an endless region has failed, the next one follows as soon as possible")
    func failedEndless() throws {
        let desk = RegionPlayerFixture()
        let controls = NumberedReader.Controls()
        controls.damage.store(30, ordering: .relaxed)
        try desk.schedule(
            FileRegion(ScheduledFile(NumberedReader(1, frames: 100, controls: controls)), loopCount: nil))
        desk.player.start()
        #expect(desk.render(40) == heard(1, 0..<30) + silence(10))
        try desk.schedule(FileRegion(ScheduledFile(NumberedReader(2, frames: 5))))
        #expect(desk.render(8) == heard(2, 0..<5) + silence(3))
    }

    @Test("A released player completes rendered regions as finished and the others as reset")
    func gone() throws {
        let (told, events): (RegionPlayerFixture.Reports, EventThread)
        do {
            let desk = RegionPlayerFixture()
            // Otherwise the event thread is released first and delivers the completions.
            (told, events) = (desk.reports, desk.events)
            for _ in 0..<2 { try desk.schedule(FileRegion(file(), frames: 10)) }
            desk.player.start()
            _ = desk.render(12)
        }
        #expect(told.completions.withLock { $0.map(\.reason) } == [.finished, .reset])
        withExtendedLifetime(events) {}
    }

    @Test("A file that fails is silent from there on, and the next region stays at its time")
    func damaged() throws {
        let desk = RegionPlayerFixture()
        let controls = NumberedReader.Controls()
        controls.damage.store(30, ordering: .relaxed)
        let bad = ScheduledFile(NumberedReader(1, frames: 100, block: 7, controls: controls))
        let id = try desk.schedule(FileRegion(bad), kinds: [.dataRead, .rendered])
        try desk.schedule(FileRegion(ScheduledFile(NumberedReader(2, frames: 5))))
        desk.player.start()
        #expect(desk.render(110, by: 11) == heard(1, 0..<30) + silence(70) + heard(2, 0..<5) + silence(5))
        let failure = RegionFailure.unreadable(.cannotRead(path: "numbered", reason: "damaged"))
        #expect(desk.completions().prefix(2) == [
            RegionCompletion(region: id, kind: .dataRead, reason: .failed(failure), frame: 30),
            RegionCompletion(region: id, kind: .rendered, reason: .failed(failure), frame: 30),
        ])
    }

    @Test("A file that ends too early is a failure with the frame", arguments: [
        AudioFileLength.exact(90), .unknown,
    ])
    func shrunk(length: AudioFileLength) throws {
        let desk = RegionPlayerFixture()
        let short = ScheduledFile(NumberedReader(1, frames: 30, says: length))
        try desk.schedule(FileRegion(short, startFrame: 10, frames: 50))
        desk.player.start()
        #expect(desk.render(64) == heard(1, 10..<30) + silence(44))
        #expect(desk.completions().map(\.reason) == [.failed(.endedEarly(frame: 30))])
    }

    @Test("Frames that have not arrived are silent and counted, and playback continues at its position")
    func growing() throws {
        let desk = RegionPlayerFixture()
        let controls = NumberedReader.Controls()
        controls.edge.store(40, ordering: .relaxed)
        try desk.schedule(FileRegion(ScheduledFile(NumberedReader(1, frames: 100, controls: controls))))
        desk.player.start()
        #expect(desk.player.prime(frames: 32) && !desk.player.prime(frames: 64))
        #expect(desk.render(64) == heard(1, 0..<40) + silence(24))
        #expect(desk.news() == [.underrun(frames: 24)])
        controls.edge.store(.max, ordering: .relaxed)
        #expect(desk.render(64) == heard(1, 64..<100) + silence(28))
        #expect(desk.completions().map(\.reason) == [.finished] && desk.news() == [])
    }

    @Test("Frames that were not read in time are silent and counted; scheduled silence is not an underrun")
    func underrun() throws {
        let desk = RegionPlayerFixture(capacity: 64)
        try desk.schedule(FileRegion(file(), at: 10))
        desk.player.start()
        desk.reading.drain()
        #expect(desk.render(100, primed: false) == silence(10) + heard(1, 0..<54) + silence(36))
        #expect(desk.news() == [.underrun(frames: 36)])
        desk.reading.drain()
        #expect(desk.render(50, primed: false) == heard(1, 90..<100) + silence(40))
        #expect(desk.render(500, primed: false) == silence(500) && desk.news() == [])
    }

    @Test("A pass that fits into a block is read once for any number of repetitions")
    func shortLoop() throws {
        let desk = RegionPlayerFixture(capacity: 64)
        let controls = NumberedReader.Controls()
        let loop = ScheduledFile(NumberedReader(1, frames: 100, controls: controls))
        try desk.schedule(FileRegion(loop, startFrame: 1, frames: 50, loopCount: 999))
        desk.player.start()
        #expect(desk.render(50_000, by: 64).suffix(50) == heard(1, 1..<51)[...])
        #expect(controls.reads.load(ordering: .relaxed) == 1)
    }
}

@Suite("Late regions") struct LateRegionTests {
    @Test("A late region is skipped up to the current time, or plays completely after the lead", arguments: [
        (LateStart.skip, heard(1, 54..<100) + silence(54)), (.playLate, silence(8) + heard(1, 0..<92)),
    ])
    func region(late: LateStart, expected: [RenderedFrame?]) throws {
        let desk = RegionPlayerFixture(late: late, lead: 8)
        desk.player.start()
        _ = desk.render(64)
        let id = try desk.schedule(FileRegion(file(), at: 10))
        #expect(desk.render(100) == expected)
        #expect(desk.news() == [.regionLate(id, by: 54)])
    }

    @Test("A late region without a time begins as soon as possible, and the next one follows it")
    func chained() throws {
        let desk = RegionPlayerFixture(lead: 8)
        desk.player.start()
        try desk.schedule(FileRegion(file(), frames: 10))
        _ = desk.render(64)
        let id = try desk.schedule(FileRegion(file(), startFrame: 20, frames: 10))
        try desk.schedule(FileRegion(file(), startFrame: 40, frames: 10))
        #expect(desk.render(30) == silence(8) + heard(1, 20..<30) + heard(1, 40..<50) + silence(2))
        #expect(desk.news() == [.regionLate(id, by: 54)])
    }

    @Test("A start time in the past skips the missed frames or starts late", arguments: [
        (LateStart.skip, heard(1, 60..<100) + silence(24), 124), (.playLate, heard(1, 0..<64), 64),
    ] as [(LateStart, [RenderedFrame?], Int64)])
    func start(late: LateStart, expected: [RenderedFrame?], playTime: Int64) throws {
        let desk = RegionPlayerFixture(late: late, graphFrame: 1000)
        _ = desk.render(0)
        _ = desk.render(10)
        try desk.schedule(FileRegion(file()))
        desk.player.start(at: .sampleTime(950))
        #expect(desk.render(64) == expected)
        #expect(desk.news() == [.startedLate(by: 60)] && desk.player.currentPlayTime == playTime)
    }
}
