// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import EarshotTestSupport
import Logging
import Media
import Synchronization

@testable import Playback

/// The playback loop without its thread: it makes a round, or pulls a frame, only when a test calls it.
final class LoopStage {
    let sink: CapturingSink
    let sources = MemorySources()
    let loop: PlaybackLoop
    private let told = EventLog()
    /// The samples of each item, indexed by the item's identifier.
    private(set) var references: [[Float]] = []
    private(set) var fixtures: [Fixture] = []
    private(set) var list: [MemoryByteSource] = []

    /// - Parameters:
    ///   - held: The frames that the device buffers but has not played.
    ///   - isPaced: True if the output takes frames at the pace of listening.
    ///   - hasDevice: False for an output without a device.
    ///   - longestFadeIn: The longest fade of the output after a seek.
    ///   - clock: A clock that the test advances; `nil`: the real time.
    init(
        holding held: Int64 = 0, isPaced: Bool = true, hasDevice: Bool = true, longestFadeIn: Duration = .zero,
        options: Player.Options = .init(), clock: ManualClock? = nil
    ) {
        sink = CapturingSink(
            allowance: 0, holding: held, isPaced: isPaced, hasDevice: hasDevice, longestFadeIn: longestFadeIn)
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        loop = PlaybackLoop(
            sink: sink, options: options, mailbox: PlayerMailbox(status: PlayerStatus()), logger: logger,
            time: clock.map { clock in { clock.now.offset } } ?? PlaybackLoop.stopwatch(),
            emit: { [told] in told.append($0) })
    }

    var events: [PlayerEvent] { told.events }
    var news: [PlayerEvent] { events.filter { if case .activityChanged = $0 { false } else { true } } }

    /// Appends a range of a fixture to the playlist.
    @discardableResult
    func append(
        _ fixture: Fixture, _ frames: Range<Int64>? = nil, arrived: Int? = nil, skipsHidden: Bool = false,
        rewind: RewindRule = .fixed(.zero)
    ) -> PlaybackItem {
        fixtures.append(fixture)
        references.append(frames.map { fixture.samples(from: $0.lowerBound, to: $0.upperBound) } ?? fixture.samples)
        let time = { (frame: Int64) in TimeTarget.time(fixture.format.duration(ofFrames: frame)) }
        return append(
            MemoryByteSource(fixture.bytes, held: arrived), from: frames.map { time($0.lowerBound) },
            until: frames.map { time($0.upperBound) }, skipsHidden: skipsHidden, rewind: rewind)
    }

    /// Appends an item to the playlist.
    @discardableResult
    func append(
        _ source: MemoryByteSource, from start: TimeTarget? = nil, until end: TimeTarget? = nil,
        introduction: Duration? = nil, isResumed: Bool = false, keepsPlace: Bool = false, skipsHidden: Bool = false,
        rewind: RewindRule = .fixed(.zero)
    ) -> PlaybackItem {
        list.append(source)
        let id = sources.add(.success(source))
        let item = PlaybackItem(
            id: id, title: "", podcast: nil, location: "", start: start, end: end, introduction: introduction,
            isResumed: isResumed, keepsPlace: keepsPlace, skipsHiddenChapters: skipsHidden, rewind: rewind,
            source: sources.source(id))
        say(.append(item))
        return item
    }

    /// Posts commands and executes them.
    func say(_ commands: PlayerCommand...) {
        for command in commands { loop.mailbox.post(.command(command)) }
        work()
    }

    /// Posts messages of the output and handles them.
    func receive(_ messages: PlayerMessage...) {
        for message in messages { loop.mailbox.post(message) }
        work()
    }

    /// Makes rounds until the loop has nothing to do.
    func work() { loop.work() }

    /// Pulls `frames` frames, up to 1000 at a time, and works after each pull.
    func play(_ frames: Int) {
        var left = frames
        while left > 0 {
            _ = sink.pull(min(left, 1000))
            left -= 1000
            work()
        }
    }

    /// Pulls until the playlist has ended.
    /// - Returns: True if the playlist ended.
    func playOut() -> Bool {
        for _ in 0..<5000 where !events.contains(.ended) { play(1000) }
        return events.contains(.ended)
    }
}

/// The events that a loop emitted, in order.
final class EventLog: Sendable {
    private let list = Mutex<[PlayerEvent]>([])

    var events: [PlayerEvent] { list.withLock { $0 } }
    func append(_ event: PlayerEvent) { list.withLock { $0.append(event) } }
}

extension PlaybackLoop {
    /// Makes rounds until the loop has nothing to do.
    func work() {
        for _ in 0..<2000 where round() != .progressed && !hasActed { return }
    }
}
