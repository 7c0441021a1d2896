// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import EarshotTestSupport
import Media
import Testing

/// The expected output of a random schedule, computed frame by frame.
private struct Model {
    struct Region {
        let id: RegionID
        let file: Int
        let first: Int64
        let frames: Int64
        let passes: Int64
        let start: Int64
        var end: Int64 { start + frames * passes }
    }

    var regions: [Region] = []

    /// Returns the frame of the region that began last, if it still plays.
    func heard(at frame: Int64) -> RenderedFrame? {
        let begun = regions.enumerated().filter { $0.element.start <= frame }
        let last = begun.max { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }
        guard let region = last?.element, frame < region.end else { return nil }
        return RenderedFrame(file: region.file, frame: region.first + (frame - region.start) % region.frames)
    }

    /// The expected completion of each region.
    var ends: [RegionID: (frame: Int64, reason: RegionCompletion.Reason)] {
        var ends: [RegionID: (frame: Int64, reason: RegionCompletion.Reason)] = [:]
        for (order, region) in regions.enumerated() {
            let later = regions.enumerated().filter { ($0.element.start, $0.offset) > (region.start, order) }
            let next = later.map(\.element.start).min() ?? .max
            ends[region.id] = next < region.end ? (next, .superseded) : (region.end, .finished)
        }
        return ends
    }
}

@Suite("Random schedules of regions") struct RegionScheduleModelTests {
    @Test("A random schedule renders and completes as the model predicts", arguments: 0..<40)
    func random(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let desk = RegionPlayerFixture(capacity: [16, 128, 4096].randomElement(using: &random) ?? 16)
        let files = (1...3).map { name in
            let block = Int.random(in: 1...40, using: &random)
            return ScheduledFile(NumberedReader(name, frames: 60, block: block))
        }
        var model = Model()
        var output: [RenderedFrame?] = []
        desk.player.start(at: .sampleTime(0))
        while output.count < 1600 {
            if output.count < 1000, Int.random(in: 0..<3, using: &random) == 0 {
                try schedule(&random, desk, files, &model, now: Int64(output.count))
            }
            output += desk.render(Int.random(in: 1...16, using: &random))
        }
        let expected = output.indices.map { model.heard(at: Int64($0)) }
        #expect(output == expected)
        let told = desk.completions()
        #expect(told.count == 3 * model.regions.count && Set(told.map { [$0.region: $0.kind] }).count == told.count)
        let ends = model.ends
        #expect(told.allSatisfy { ends[$0.region]?.frame == $0.frame && ends[$0.region]?.reason == $0.reason })
        #expect(!desk.news().contains { if case .underrun = $0 { true } else { false } })
    }

    private func schedule(
        _ random: inout SeededGenerator, _ desk: RegionPlayerFixture, _ files: [ScheduledFile], _ model: inout Model,
        now: Int64
    ) throws {
        let file = Int.random(in: 1...3, using: &random)
        let first = Int64.random(in: 0..<60, using: &random)
        let frames = Int64.random(in: 1...60 - first, using: &random)
        let loops = Int.random(in: 0...3, using: &random)
        let time = Bool.random(using: &random) ? now + Int64.random(in: 0...120, using: &random) : nil
        let id = try desk.schedule(
            FileRegion(files[file - 1], startFrame: first, frames: frames, loopCount: loops, at: time),
            kinds: Set(RegionCompletion.Kind.allCases))
        let start = time ?? max(now, model.regions.last?.end ?? 0)
        model.regions.append(
            Model.Region(
                id: id, file: file, first: first, frames: frames, passes: Int64(loops + 1), start: start))
    }
}
