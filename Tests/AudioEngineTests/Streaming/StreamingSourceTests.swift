// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media
import Synchronization
import Testing

@Suite("StreamingSource")
struct StreamingSourceTests {
    @Test("Forward playback yields the file's own samples, in slices of any length", arguments: [1, 7, 512, 1000, 2100])
    func forward(slice: Int) throws {
        let stream = try OfflineStream(NumberReader(frames: 20_000, channels: 2))
        let expected = (0..<40_000).map { NumberReader.number(frame: Int64($0 / 2), channel: $0 % 2) }
        #expect(stream.pull(30_000, slice: slice) == expected)
        #expect(stream.streamEvents == [.finished])
        #expect(stream.source.status.hasFinished)
        #expect(stream.streamEvents == [.finished], "the end is reported once")
    }

    @Test("Backward playback yields the file reversed, frame by frame", arguments: [1, 511, 2100])
    func backward(slice: Int) throws {
        let stream = try OfflineStream(NumberReader(frames: 20_000, channels: 2))
        try stream.source.seek(to: 20_000)
        stream.source.setDirection(.backward)
        let expected = (0..<20_000).reversed().flatMap { frame in
            (0..<2).map { NumberReader.number(frame: Int64(frame), channel: $0) }
        }
        #expect(stream.pull(30_000, slice: slice) == expected)
        #expect(stream.streamEvents == [.finished])
        #expect(stream.source.status.frame == 0)
    }

    @Test("A source renders only while it plays, and keeps its position when stopped")
    func playAndStop() throws {
        let stream = try OfflineStream(NumberReader(frames: 5000), plays: false)
        #expect(stream.pull(10) == [])
        stream.source.play()
        #expect(stream.pull(10) == numbers(0..<10))
        stream.source.stop()
        #expect(stream.pull(10) == [])
        #expect(stream.source.status.frame == 10)
        stream.source.play()
        #expect(stream.pull(10) == numbers(10..<20))
    }

    @Test("A seek is exact to the frame, playing or stopped, and also after the end",
        arguments: [true, false], [0, 1, 511, 4999, 17_777] as [Int64])
    func seek(plays: Bool, target: Int64) throws {
        let stream = try OfflineStream(NumberReader(frames: 20_000), plays: plays)
        _ = stream.pull(777)
        try stream.source.seek(to: target)
        stream.source.play()
        #expect(stream.pull(100) == numbers(target..<target + 100))
        try stream.source.seek(to: 20_000)
        #expect(stream.pull(100) == [])
        try stream.source.seek(to: target)
        #expect(stream.pull(100) == numbers(target..<target + 100))
    }

    @Test("A source that is created with orders reads nothing before their place", arguments: [true, false])
    func firstOrders(fades: Bool) throws {
        let controls = NumberedReader.Controls()
        let source = try StreamingSource(
            NumberedReader(1, frames: 20_000, controls: controls), options: fades ? .init() : .exact,
            firstOrders: { (source) throws(StreamingError) in try source.seek(to: 9000) }, events: nil, handler: nil)
        source.play()
        source.prime(frames: 100)
        #expect(controls.lowest.load(ordering: .relaxed) == 9000)
        #expect(source.status.frame == 9000)
    }

    @Test("A turn plays back exactly the frames played before", arguments: [1, 300, 5000])
    func turn(heard: Int64) throws {
        let stream = try OfflineStream(NumberReader(frames: 20_000))
        #expect(stream.pull(Int(heard)) == numbers(0..<heard))
        stream.source.setDirection(.backward)
        let back = heard / 2
        #expect(stream.pull(Int(heard - back)) == numbers((back..<heard).reversed()))
        #expect(stream.source.status.frame == back)
        #expect(stream.source.status.direction == .backward)
        stream.source.setDirection(.forward)
        #expect(stream.pull(1000) == numbers(back..<back + 1000))
    }

    @Test("A growing file is waited for at the end of its data and continues; only its real end finishes it")
    func edge() throws {
        let control = NumberReader.Control(arrived: 1000)
        let stream = try OfflineStream(NumberReader(frames: 3000, length: .unknown, control: control))
        #expect(stream.pull(2000, slice: 500) == numbers(0..<1000))
        #expect(stream.render(100) == [])
        #expect(stream.streamEvents == [.reachedEdge(frame: 1000)])
        #expect(stream.streamEvents.count == 1)
        control.arrived = 2500
        #expect(stream.pull(1500, slice: 500) == numbers(1000..<2500))
        control.arrived = 3000
        #expect(stream.pull(1000, slice: 100) == numbers(2500..<3000))
        #expect(stream.streamEvents.last == .finished)
        #expect(!stream.streamEvents.contains { if case .starved = $0 { true } else { false } })
    }

    @Test("A read failure is reported after every frame before it was played, and a seek tries again",
        arguments: [0, 5000] as [Int64])
    func failure(frame: Int64) throws {
        let control = NumberReader.Control(arrived: 20_000)
        control.failing = frame
        let stream = try OfflineStream(NumberReader(frames: 20_000, control: control))
        let heard = stream.pull(20_000)
        #expect(heard == numbers(0..<Int64(heard.count)))
        #expect(Int64(heard.count) <= frame)
        let error = AudioFileError.cannotRead(path: "numbers", reason: "frame \(frame) is damaged")
        #expect(stream.streamEvents == [.failed(error)])
        #expect(stream.source.status.failure == error)
        control.failing = .max
        try stream.source.seek(to: frame)
        #expect(stream.pull(100) == numbers(frame..<frame + 100))
        #expect(stream.source.status.failure == nil)
    }

    @Test("A file shorter than its reported length ends at its real end, forward and backward")
    func shrunk() throws {
        let stream = try OfflineStream(NumberReader(frames: 7000, length: .exact(9000)))
        #expect(stream.pull(9000) == numbers(0..<7000))
        #expect(stream.streamEvents == [.finished])
        try stream.source.seek(to: 9000)
        stream.source.setDirection(.backward)
        #expect(stream.pull(9000) == numbers((0..<7000).reversed()))
    }

    @Test("Invalid orders are refused without any change")
    func refused() throws {
        let stream = try OfflineStream(NumberReader(frames: 5000))
        #expect(throws: StreamingError.outsideFile(frame: -1)) { try stream.source.seek(to: -1) }
        #expect(throws: StreamingError.outsideFile(frame: 5001)) { try stream.source.seek(to: 5001) }
        #expect(throws: StreamingError.outsideFile(frame: .max)) { try stream.source.seek(to: .max) }
        for rate in [0, -1, 0.2, 4.1, .infinity, .nan] as [Double] {
            #expect(throws: StreamingError.self) { try stream.source.setRate(rate) }
        }
        let behind = try StreamLoop(from: 5000, to: 5001)
        #expect(throws: StreamingError.outsideFile(frame: 5000)) { try stream.source.setLoop(behind) }
        #expect(stream.pull(100) == numbers(0..<100))
    }

    @Test("A loop beyond the end of the file is clamped to the end once that is known")
    func clamped() throws {
        let stream = try OfflineStream(NumberReader(frames: 5000))
        try stream.source.setLoop(StreamLoop(from: 4990, to: 9999, times: 2, afterwards: .stop))
        try stream.source.seek(to: 4990)
        #expect(stream.pull(100) == numbers(4990..<5000) + numbers(4990..<5000))
    }

    @Test("Only interleaved Float32 can be rendered")
    func format() {
        let format = AudioFormat(sampleRate: 8000, channels: 2, isInterleaved: false)
        #expect(throws: StreamingError.notRenderable(format)) { try StreamingSource(SilentReader(format: format)) }
    }

    @Test("An empty file ends immediately in both directions", arguments: [PlayDirection.forward, .backward])
    func empty(direction: PlayDirection) throws {
        let stream = try OfflineStream(NumberReader(frames: 0))
        stream.source.setDirection(direction)
        #expect(stream.pull(10) == [])
        #expect(stream.streamEvents == [.finished])
    }
}
