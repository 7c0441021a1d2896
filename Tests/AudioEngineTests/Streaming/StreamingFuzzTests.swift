// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import EarshotTestSupport
import Testing

@Suite("StreamingSource under random orders")
struct StreamingFuzzTests {
    @Test("Random orders play the frames of the frame-by-frame model",
        arguments: 1...40 as ClosedRange<UInt64>)
    func naive(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let frames = Int64.random(in: 1...20_000, using: &generator)
        let length: AudioFileLength = Bool.random(using: &generator) ? .exact(frames) : .estimate(frames + 100)
        let stream = try OfflineStream(NumberReader(frames: frames, length: length))
        var path = NaivePath(frames: frames)
        for round in 0..<60 {
            for _ in 0..<Int.random(in: 0...2, using: &generator) { try order(stream.source, &path, &generator) }
            let count = Int.random(in: 1...3000, using: &generator)
            let expected = path.next(count)
            try #require(
                stream.pull(count, slice: .random(in: 1...2000, using: &generator)) == expected, "round \(round)")
            guard !expected.isEmpty else { continue }
            let status = stream.source.status
            #expect(status.frame == path.boundary)
            #expect(status.direction == path.direction)
            #expect(status.repeats == path.repeats)
        }
    }

    private func order(
        _ source: StreamingSource, _ path: inout NaivePath, _ generator: inout SeededGenerator
    ) throws {
        let (place, other) = (
            Int64.random(in: 0...path.frames, using: &generator), Int64.random(in: 0...path.frames, using: &generator)
        )
        switch Int.random(in: 0..<8, using: &generator) {
        case 0, 1:
            try source.seek(to: place)
            path.boundary = place
        case 2, 3, 4:
            let direction: PlayDirection = Bool.random(using: &generator) ? .forward : .backward
            source.setDirection(direction)
            path.direction = direction
        case 5, 6:
            let (start, end) = (min(place, other), max(place, other))
            guard start < end else { return }
            let isShort = Bool.random(using: &generator)
            let points = (start, isShort ? min(end, start + Int64.random(in: 1...40, using: &generator)) : end)
            let times: Int? = Bool.random(using: &generator) ? nil : Int.random(in: 1...5, using: &generator)
            let stops = Bool.random(using: &generator)
            try source.setLoop(
                StreamLoop(from: points.0, to: points.1, times: times, afterwards: stops ? .stop : .playOn))
            path.loop = (points.0, points.1, times, stops)
            path.repeats = 0
        default:
            try source.setLoop(nil)
            path.loop = nil
            path.repeats = 0
        }
    }
}
