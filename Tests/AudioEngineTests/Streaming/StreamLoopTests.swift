// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Testing

@Suite("StreamLoop")
struct StreamLoopTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let from: Int64
        let to: Int64
        var times: Int?
        var stops = false
        var start: Int64 = 0
        var direction = PlayDirection.forward
        var testDescription: String { "\(from)..<\(to) ×\(times ?? 0) from \(start) \(direction)" }
    }

    static let cases = [
        Case(from: 1000, to: 1300, times: 3), Case(from: 1000, to: 1300, times: 3, stops: true),
        Case(from: 0, to: 9000, times: 2), Case(from: 5, to: 6, times: 2000), Case(from: 5, to: 6),
        Case(from: 100, to: 103), Case(from: 8999, to: 9000, times: 5), Case(from: 3000, to: 8000),
        Case(from: 1000, to: 1300, start: 5000), Case(from: 1000, to: 1300, times: 1, stops: true, start: 1300),
        Case(from: 1000, to: 1300, start: 9000, direction: .backward),
        Case(from: 1000, to: 1300, times: 4, start: 1200, direction: .backward),
        Case(from: 1000, to: 1300, times: 2, stops: true, start: 300, direction: .backward),
        Case(from: 0, to: 1, start: 4, direction: .backward), Case(from: 0, to: 9000, start: 0, direction: .backward),
    ]

    @Test("A loop plays its section exactly, the given number of times", arguments: cases)
    func exact(test: Case) throws {
        let stream = try OfflineStream(NumberReader(frames: 9000))
        stream.source.setDirection(test.direction)
        try stream.source.seek(to: test.start)
        try stream.source.setLoop(
            StreamLoop(from: test.from, to: test.to, times: test.times, afterwards: test.stops ? .stop : .playOn))
        var path = NaivePath(frames: 9000)
        (path.direction, path.boundary) = (test.direction, test.start)
        path.loop = (test.from, test.to, test.times, test.stops)
        #expect(stream.pull(30_000, slice: 333) == path.next(30_000))
        let status = stream.source.status
        #expect(status.frame == path.boundary)
        #expect(status.hasFinished == (path.next() == nil))
    }

    @Test("A short loop is read once for any number of repetitions")
    func readOnce() throws {
        let control = NumberReader.Control(arrived: 100_000)
        let stream = try OfflineStream(NumberReader(frames: 100_000, control: control))
        try stream.source.setLoop(StreamLoop(from: 50_000, to: 50_100))
        try stream.source.seek(to: 50_000)
        _ = stream.pull(1000)
        let before = control.seeks
        _ = stream.pull(50_000)
        #expect(control.seeks == before)
    }

    @Test("Loop points that change during playback apply from the next frame on")
    func changed() throws {
        let stream = try OfflineStream(NumberReader(frames: 9000))
        try stream.source.setLoop(StreamLoop(from: 1000, to: 2000))
        #expect(stream.pull(1500) == numbers(0..<1500))
        // After the position: playback continues to the new end.
        try stream.source.setLoop(StreamLoop(from: 1400, to: 1600))
        #expect(stream.pull(300) == numbers(1500..<1600) + numbers(1400..<1600))
        // Before the position: playback jumps back immediately.
        try stream.source.setLoop(StreamLoop(from: 100, to: 200))
        #expect(stream.pull(200) == numbers(100..<200) + numbers(100..<200))
        try stream.source.setLoop(nil)
        #expect(stream.pull(100) == numbers(200..<300))
    }

    @Test("Each repetition is reported and counted")
    func told() throws {
        let stream = try OfflineStream(NumberReader(frames: 9000))
        try stream.source.setLoop(StreamLoop(from: 0, to: 100, times: 3, afterwards: .stop))
        _ = stream.pull(100)
        #expect(stream.streamEvents == [])
        _ = stream.pull(1)
        #expect(stream.streamEvents == [.wrapped(count: 1)])
        #expect(stream.source.status.repeats == 1)
        _ = stream.pull(1000)
        #expect(stream.streamEvents == [.wrapped(count: 1), .wrapped(count: 2), .finished])
    }

    @Test("A loop that extends beyond the end of a file of unknown length ends with the file")
    func behindTheEnd() throws {
        let stream = try OfflineStream(NumberReader(frames: 3000, length: .unknown))
        try stream.source.setLoop(StreamLoop(from: 2000, to: 5000))
        #expect(stream.pull(5000) == numbers(0..<3000) + numbers(2000..<3000) + numbers(2000..<3000))
        let beyond = try OfflineStream(NumberReader(frames: 3000, length: .unknown))
        try beyond.source.setLoop(StreamLoop(from: 4000, to: 5000))
        #expect(beyond.pull(5000) == numbers(0..<3000))
        #expect(beyond.streamEvents == [.finished])
    }

    @Test("Reversed, empty or negative loop points and a count below 1 are refused")
    func refused() {
        #expect(throws: StreamingError.emptyLoop(from: 5, to: 4)) { try StreamLoop(from: 5, to: 4) }
        #expect(throws: StreamingError.emptyLoop(from: 5, to: 5)) { try StreamLoop(from: 5, to: 5) }
        #expect(throws: StreamingError.outsideFile(frame: -1)) { try StreamLoop(from: -1, to: 5) }
        #expect(throws: StreamingError.outsideFile(frame: .max)) { try StreamLoop(from: 0, to: .max) }
        #expect(throws: StreamingError.negativeCount) { try StreamLoop(from: 0, to: 5, times: 0) }
        #expect(throws: StreamingError.negativeCount) { try StreamLoop(from: 0, to: 5, crossfade: -1) }
    }

    @Test("A 10 s reverse loop in a file of 3 hours plays the reversed section and reads little else")
    func reverseLoop() throws {
        let frames: Int64 = 3 * 3600 * 8000
        let control = NumberReader.Control(arrived: frames)
        let stream = try OfflineStream(NumberReader(frames: frames, control: control))
        let (start, end): (Int64, Int64) = (frames / 2, frames / 2 + 80_000)
        stream.source.setDirection(.backward)
        try stream.source.seek(to: end)
        try stream.source.setLoop(StreamLoop(from: start, to: end))
        let reversed = numbers((start..<end).reversed())
        for _ in 0..<3 { #expect(stream.pull(80_000, slice: 2000) == reversed) }
        // One block of half a second is read per half second played, plus the blocks read ahead.
        #expect(control.read < 3 * 80_000 + 5 * 4096)
    }
}
