// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import EpisodeSources
import Glibc
import HTTPTransfer
import Logging
import Media
import Playback
import ProgressiveDownload
import Synchronization
import Testing

/// A playlist that plays through the whole path: libcurl, disk, decoder, queue, sink.
final class PlayerRun: Sendable {
    /// The path or URL of a file, and the section to play.
    struct Item: Sendable {
        var place: String
        var from: Duration?
        var until: Duration?
    }

    let player: Player
    private let transport: CurlTransport
    private let log = Mutex<[PlayerEvent]>([])
    private let hasStopped = Atomic<Bool>(false)

    /// - Parameter isPaused: true to pause before the first item is opened.
    init(_ items: [Item], into sink: any AudioSink, keeping scratch: ScratchDirectory, isPaused: Bool = false) {
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        transport = CurlTransport(version: "0", logger: logger)
        let sources = EnclosureSources(
            transport: transport, keeping: KeepDirectory(path: scratch.path("keep")), logger: logger)
        let options = Player.Options(outputChannels: 2, statusInterval: .milliseconds(10))
        player = Player(sink: sink, options: options, logger: logger)
        if isPaused { player.send(.pause) }
        for (number, item) in items.enumerated() {
            let id = PlaybackItem.ID(number)
            let isRemote = item.place.contains("://")
            let resolved = ResolvedEpisode(
                title: "item \(number)", podcast: nil, location: item.place, claimedDuration: nil,
                origin: isRemote ? .remote(url: item.place) : .file(path: item.place))
            let (start, end) = (item.from.map { TimeTarget.time($0) }, item.until.map { TimeTarget.time($0) })
            player.send(.append(resolved.item(id, in: sources, from: start, until: end)))
        }
        player.send(.closePlaylist)
        Task(executorPreference: ThreadLane.events) { [self] in
            for await event in player.events { log.withLock { $0.append(event) } }
            hasStopped.store(true, ordering: .releasing)
        }
    }

    /// All events except buffering progress.
    var events: [PlayerEvent] { log.withLock { $0 } }
    var failures: [MediaFailure] {
        events.compactMap { event in
            switch event {
            case .itemFailed(_, let failure), .outputLost(let failure): failure
            default: nil
            }
        }
    }
    var hasEnded: Bool { events.contains(.ended) }
    var position: Duration { player.status.position ?? .zero }
    func isPlaying(within times: Range<Duration>) -> Bool {
        let status = player.status
        return status.activity == .playing && times.contains(status.position ?? .zero)
    }
    var stalls: Int { events.count { if case .stallBegan = $0 { true } else { false } } }

    /// Polls a condition every 5 ms.
    /// - Returns: true if the condition held within the limit.
    func wait(atMost limit: Duration = TimeLimit.shortRun, until condition: @Sendable (PlayerRun) -> Bool) async -> Bool
    {
        let end = ContinuousClock.now + limit
        while !condition(self) {
            guard ContinuousClock.now < end else { return false }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return true
    }

    /// Waits until playback has ended, then closes everything.
    /// - Returns: true if playback ended within the limit.
    func playOut(atMost limit: Duration = TimeLimit.shortRun) async -> Bool {
        let hasEnded = await wait(atMost: limit) { $0.hasEnded }
        return await stop() && hasEnded
    }

    /// Plays a playlist into a file as fast as possible.
    static func record(
        _ items: [Item], keeping scratch: ScratchDirectory
    ) async -> (run: PlayerRun, samples: [UInt8]) {
        unlink(scratch.path("out.raw"))
        let run = PlayerRun(items, into: FileSink(path: scratch.path("out.raw"), container: .raw), keeping: scratch)
        let isOver = await run.playOut()
        #expect(isOver)
        return (run, scratch.read("out.raw"))
    }

    func stop() async -> Bool {
        player.send(.stop)
        let isOver = await wait { $0.hasStopped.load(ordering: .acquiring) }
        transport.shutdown()
        return isOver
    }
}
