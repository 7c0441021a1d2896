// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media
import Testing

/// Returns a file of another rate. Its reader delivers frames at the player's 48,000 per second.
private func file(_ rate: Int, _ frames: Int64, name: Int = 1) -> ScheduledFile {
    ScheduledFile(NumberedReader(name, frames: nearest(frames, rate)), rate: rate, length: frames)
}

/// Returns the frame at 48,000 per second that is nearest to a frame at `rate`, with halves rounded up.
private func nearest(_ frame: Int64, _ rate: Int) -> Int64 { (frame * 96_000 + Int64(rate)) / (2 * Int64(rate)) }

@Suite("Regions of files at another sample rate") struct ConvertedRegionTests {
    @Test("Each pass begins at the frame nearest to its exact position, even after a thousand loops", arguments: [
        (44_100, 441), (44_100, 100), (22_050, 7), (32_000, 333), (96_000, 101), (96_000, 1), (11_025, 1), (48_000, 5),
    ] as [(Int, Int64)])
    func passes(rate: Int, frames: Int64) throws {
        let desk = RegionPlayerFixture(capacity: 4096)
        try desk.schedule(FileRegion(file(rate, 1000), startFrame: 20, frames: frames, loopCount: 1000))
        let id = try desk.schedule(FileRegion(file(48_000, 10, name: 2)))
        desk.player.start()
        var expected: [RenderedFrame?] = []
        for pass in 0...1000 {
            let length = nearest(Int64(pass + 1) * frames, rate) - nearest(Int64(pass) * frames, rate)
            let first = nearest(20, rate)
            expected += heard(1, first..<first + length)
        }
        expected += heard(2, 0..<10)
        #expect(desk.render(expected.count, by: 2048) == expected)
        #expect(desk.completions().last?.region == id)
    }

    @Test("Fractional lengths of consecutive regions add up exactly across sample rates")
    func chain() throws {
        let desk = RegionPlayerFixture(capacity: 4096)
        for number in 0..<300 {
            try desk.schedule(FileRegion(file(number.isMultiple(of: 2) ? 44_100 : 32_000, 100), frames: 11))
        }
        try desk.schedule(FileRegion(file(48_000, 1, name: 2)))
        desk.player.start()
        // 150 · 11 · 160/147 + 150 · 11 · 3/2 = 4270.9
        #expect(desk.render(4300, by: 512).firstIndex(of: RenderedFrame(file: 2, frame: 0)) == 4271)
    }

    @Test("One frame that rounding adds after the end of the file is silent; two are a failure")
    func end() throws {
        let desk = RegionPlayerFixture()
        // 1.5 frames each: passes of 2, 1, 2 and 1 frames, and a file of 2.
        try desk.schedule(FileRegion(file(32_000, 1), loopCount: 3))
        desk.player.start()
        let (first, second) = (RenderedFrame(file: 1, frame: 0), RenderedFrame(file: 1, frame: 1))
        #expect(desk.render(8) == [first, second, first, first, second, first, nil, nil])
        #expect(desk.completions().map(\.reason) == [.finished])
    }

    @Test("A region shorter than half a frame finishes and supersedes no other")
    func nothing() throws {
        let desk = RegionPlayerFixture()
        try desk.schedule(FileRegion(file(48_000, 20, name: 2)))
        let id = try desk.schedule(FileRegion(file(192_000, 1), at: 10))
        desk.player.start()
        #expect(desk.render(24) == heard(2, 0..<20) + silence(4))
        #expect(desk.completions().first { $0.region == id }?.reason == .finished)
    }

    @Test("A region without a frame count lasts to the end of the file at the file's own rate")
    func all() throws {
        let desk = RegionPlayerFixture()
        try desk.schedule(FileRegion(file(44_100, 441), startFrame: 440))
        #expect(throws: RegionError.outsideFile(end: 442, length: 441)) {
            try desk.schedule(FileRegion(file(44_100, 441), startFrame: 440, frames: 2))
        }
        desk.player.start()
        #expect(desk.render(3) == heard(1, 479..<480) + silence(2))
    }
}
