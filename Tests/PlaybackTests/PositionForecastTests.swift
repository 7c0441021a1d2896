// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import Media
import Testing

@testable import Playback

@Suite("Position forecast")
struct PositionForecastTests {
    private let made = ContinuousClock.now
    /// A frame is a millisecond.
    private let format = AudioFormat(sampleRate: 1000, channels: 1)

    @Test(
        "The position moves linearly between the points, and stays at the last one",
        arguments: [(-5, 1000), (0, 1000), (50, 1100), (100, 1200), (110, 1700), (120, 2200), (160, 2220), (900, 2240)])
    func position(milliseconds: Int, expected: Int) throws {
        let points = [(0, 1000), (100, 1200), (120, 2200), (200, 2240)].map { after, position in
            RenderedTimeline.Waypoint(outputFrame: 700 + after, sourceFrame: position - 10)
        }
        let forecast = try #require(
            PositionForecast(points, format, ShownTimes(correction: .milliseconds(10)), heard: 700, made: made))
        let position = forecast.position(at: made + .milliseconds(milliseconds))
        #expect(abs((position - .milliseconds(expected)) / .milliseconds(1)) < 0.01)
    }

    @Test("Without points there is no forecast")
    func empty() { #expect(PositionForecast([], format, ShownTimes(), heard: 0, made: made) == nil) }

    @Test("Before the target of a seek, the position is the target", arguments: [(0, 5000), (9, 5000), (20, 5011)])
    func leadIn(milliseconds: Int, expected: Int) throws {
        let points = [(0, 4991), (40, 5031)].map { RenderedTimeline.Waypoint(outputFrame: $0.0, sourceFrame: $0.1) }
        let leadIn = LeadIn(before: .time(.seconds(5)), in: .unknown, fade: .milliseconds(8))
        let forecast = try #require(
            PositionForecast(points, format, ShownTimes(leadIn: leadIn), heard: 0, made: made))
        let shown = forecast.position(at: made + .milliseconds(milliseconds))
        #expect(shown == .milliseconds(expected))
    }
}

@Suite("Waypoints of a timeline")
struct WaypointTests {
    private typealias Run = (at: Int64, frames: Int32, source: Int64, sourceFrames: Int32)

    private func timeline(_ runs: [Run]) -> RenderedTimeline {
        var timeline = RenderedTimeline()
        for (start, frames, source, sourceFrames) in runs {
            let run = FrameRun(
                generation: 1, item: 1, sourceFrame: source, frames: frames, sourceFrames: sourceFrames)
            timeline.append(RenderedRun(run: run, outputFrame: start))
        }
        return timeline
    }

    private func pairs(_ timeline: RenderedTimeline, from frame: Int64, _ frames: Int64) -> [[Int64]] {
        timeline.waypoints(from: frame, frames: frames).map { [$0.outputFrame, $0.sourceFrame] }
    }

    @Test("Plain runs that touch give two waypoints; another speed adds one")
    func merges() {
        let plain = timeline([(0, 100, 50, 100), (100, 100, 150, 100), (200, 50, 250, 50)])
        #expect(pairs(plain, from: 20, 1000) == [[20, 70], [250, 300]])
        let fast = timeline([(0, 100, 50, 100), (100, 100, 150, 200), (200, 50, 350, 50)])
        #expect(pairs(fast, from: 20, 1000) == [[20, 70], [100, 150], [200, 350], [250, 400]])
        #expect(pairs(fast, from: 150, 1000) == [[150, 250], [200, 350], [250, 400]])
    }

    @Test("The runs that the device takes next follow those that it has")
    func followed() {
        let taken = timeline([(0, 100, 50, 100)])
        let next = [(150, 100), (250, 200)].map { start, source in
            FrameRun(generation: 1, item: 1, sourceFrame: start, frames: 100, sourceFrames: Int32(source))
        }
        let points = taken.waypoints(from: 20, frames: 1000, followedBy: next)
        #expect(points.map { [$0.outputFrame, $0.sourceFrame] } == [[20, 70], [200, 250], [300, 450]])
        #expect(taken.lastPosition == .init(item: 1, generation: 1, sourceFrame: 150))
        #expect(RenderedTimeline().lastPosition == nil)
    }

    @Test("After the last frame, the position stays at its end")
    func end() {
        let plain = timeline([(0, 100, 50, 100)])
        #expect(pairs(plain, from: 300, 1000) == [[300, 150]])
        #expect(pairs(plain, from: -5, 1000) == [])
    }
}
