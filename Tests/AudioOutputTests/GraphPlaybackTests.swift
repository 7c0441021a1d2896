// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioOutput
import EarshotTestSupport
import Media
import Synchronization
import Testing

@Suite("GraphPlayback on a simulated device")
struct GraphPlaybackTests {
    typealias Behaviour = SimulatedDevice.Behaviour

    /// A graph whose samples are their frame numbers, its device, and the slices that it rendered.
    private final class Stage: TimingReceiver {
        let device: SimulatedDevice
        let graph: RenderGraph
        let playback: GraphPlayback
        // Written by the rendering thread, which does not allocate, and read up to `count`.
        private nonisolated(unsafe) let slices = UnsafeMutablePointer<AudioTimeStamp>.allocate(capacity: 1 << 14)
        private let count = Atomic<Int>(0)

        init(_ nature: Behaviour) {
            let device = SimulatedDevice(nature)
            self.device = device
            graph = RenderGraph(
                format: AudioFormat(sampleRate: 48_000, channels: 1), events: EventThread(every: nil),
                now: { device.now })
            graph.output = RenderCallbackSource { samples, frames, first in
                for index in 0..<frames { samples[index] = Float(first + Int64(index) + 1) }
                return frames
            }
            playback = GraphPlayback(of: graph, on: device)
            graph.add(self)
        }

        deinit { slices.deallocate() }

        func willRender(_ slice: AudioTimeStamp, frames: Int) {
            let number = count.load(ordering: .relaxed)
            guard number < 1 << 14 else { return }
            (slices + number).initialize(to: slice)
            count.store(number + 1, ordering: .releasing)
        }

        var sliceCount: Int { count.load(ordering: .acquiring) }

        func run(_ time: Duration) {
            for step in 0..<Int(time / .milliseconds(1)) {
                device.tick()
                if step % 10 == 9 { graph.events.drain() }
            }
        }

        /// The number of the device's frames before the graph's frame 0.
        var silence: Int { device.samples.firstIndex { $0 != 0 } ?? device.samples.count }

        /// Returns the largest difference between a slice's host time and the time it was played, in milliseconds.
        func worstError(from first: Int = 0) -> Double {
            let (moments, silence) = (device.moments, silence)
            let errors = (first..<max(first, sliceCount)).compactMap { number -> Double? in
                let frame = Int(slices[number].sampleTime) + silence
                guard moments.indices.contains(frame) else { return nil }
                return abs(Double(slices[number].hostTime.nanoseconds - moments[frame].nanoseconds) / 1e6)
            }
            return errors.max() ?? .infinity
        }
    }

    @Test(
        "Host times of slices equal the times they are played, from the first slice on",
        arguments: [
            Behaviour(), Behaviour(startDelay: .zero), Behaviour(startDelay: .milliseconds(300)),
            Behaviour(startDelay: .milliseconds(1700), buffer: .seconds(1)), Behaviour(buffer: .milliseconds(20)),
            Behaviour(drift: 1.001), Behaviour(drift: 0.999), Behaviour(step: 441),
        ])
    func start(nature: Behaviour) throws {
        let stage = Stage(nature)
        try stage.playback.start()
        stage.run(.seconds(5))
        #expect(stage.sliceCount > 50)
        // The device's own times have a resolution of one millisecond.
        #expect(stage.worstError() <= (nature.step > 1 ? 10 : 2))
    }

    @Test("After a pause host times are right again from the next slice on", arguments: [0, 10, 300])
    func pause(startDelay: Int) throws {
        let stage = Stage(Behaviour(startDelay: .milliseconds(startDelay)))
        try stage.playback.start()
        stage.run(.seconds(2))
        stage.playback.pause()
        let before = stage.sliceCount
        stage.run(.seconds(5))
        #expect(stage.graph.latency < .milliseconds(300))
        try stage.playback.start()
        stage.run(.seconds(2))
        #expect(stage.sliceCount > before + 50)
        #expect(stage.worstError(from: before) <= 2)
    }

    @Test("After an outage of 90 s host times are right again from the next slice on")
    func outage() throws {
        let stage = Stage(Behaviour())
        try stage.playback.start()
        stage.run(.seconds(2))
        stage.device.disconnect()
        let before = stage.sliceCount
        stage.run(.seconds(90))
        try stage.playback.start()
        stage.run(.seconds(2))
        #expect(stage.sliceCount > before + 50)
        #expect(stage.worstError(from: before) <= 2)
    }

    @Test("A pause neither loses nor adds frames")
    func continuity() throws {
        let stage = Stage(Behaviour(startDelay: .milliseconds(100)))
        try stage.playback.start()
        for _ in 0..<4 {
            stage.run(.milliseconds(700))
            stage.playback.pause()
            stage.run(.milliseconds(70))
            try stage.playback.start()
        }
        let frames = stage.device.samples.dropFirst(stage.silence)
        #expect(frames.enumerated().allSatisfy { $0.element == Float($0.offset + 1) })
        #expect(frames.count > 48_000)
    }

    @Test("During a pause the clock stays at the played frame")
    func clock() throws {
        let stage = Stage(Behaviour())
        try stage.playback.start()
        stage.run(.seconds(2))
        stage.playback.pause()
        stage.run(.seconds(5))
        let heard = stage.playback.playedFrames
        let frame = try #require(stage.graph.clock.sampleTime(at: stage.device.now))
        #expect(abs(frame - heard) <= 480)
    }

    @Test("A device that never reports played frames gets the graph's frames after 3 s")
    func silentDevice() throws {
        let stage = Stage(Behaviour(step: 1 << 40))
        try stage.playback.start()
        stage.run(.milliseconds(2900))
        #expect(stage.sliceCount == 0)
        stage.run(.milliseconds(700))
        let slices = stage.sliceCount
        #expect(slices > 10)
        stage.run(.seconds(1))
        #expect(stage.sliceCount > slices + 40)
    }

    @Test("finish() plays every rendered frame and then stops")
    func finish() async throws {
        let stage = Stage(Behaviour())
        try stage.playback.start()
        stage.run(.seconds(1))
        let ended = Atomic<Bool>(false)
        async let end: Void = {
            try await stage.playback.finish()
            ended.store(true, ordering: .relaxed)
        }()
        while !ended.load(ordering: .relaxed) {
            stage.run(.milliseconds(10))
            await Task.yield()
        }
        try await end
        #expect(stage.device.moments.count == stage.device.samples.count)
        #expect(throws: AudioOutputError.self) { try stage.playback.start() }
    }

    @Test("A device lost during the final drain is an error")
    func lostEnd() async throws {
        let stage = Stage(Behaviour())
        try stage.playback.start()
        stage.run(.seconds(1))
        stage.device.disconnect()
        await #expect(throws: AudioOutputError.noServer("gone")) { try await stage.playback.finish() }
    }

    @Test("A graph plays on one device at a time")
    func twoDevices() throws {
        let stage = Stage(Behaviour())
        try stage.playback.start()
        let other = GraphPlayback(of: stage.graph, on: NullSink(pace: .asFastAsPossible))
        #expect(throws: AudioOutputError.self) { try other.start() }
        try stage.playback.stop()
        try other.start()
        try other.stop()
    }
}
