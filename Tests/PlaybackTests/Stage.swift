// SPDX-License-Identifier: GPL-3.0-or-later
import AudioOutput
import EarshotTestSupport
import Logging
import Media
import Playback
import Synchronization
import TrackReading

/// A player with sources in memory, a sink and all events that it emits, in order.
final class Stage: Sendable {
    let player: Player
    let sink: CapturingSink
    let sources = MemorySources()
    private let log = Mutex<(events: [PlayerEvent], isOver: Bool)>(([], false))

    /// - Parameter otherSink: A sink that replaces the capturing one.
    init(sink: CapturingSink = CapturingSink(), otherSink: (any AudioSink)? = nil, options: Player.Options = .init()) {
        self.sink = sink
        var logger = Logger(label: "test")
        logger.logLevel = .critical
        player = Player(sink: otherSink ?? sink, options: options, logger: logger)
        let events = player.events
        Task { [weak self] in
            for await event in events { self?.log.withLock { $0.events.append(event) } }
            self?.log.withLock { $0.isOver = true }
        }
    }

    deinit { player.send(.stop) }

    var events: [PlayerEvent] { log.withLock { $0.events } }
    /// The events without changes of activity and without landed seeks.
    var news: [PlayerEvent] {
        events.filter {
            switch $0 {
            case .activityChanged, .seekLanded: false
            default: true
            }
        }
    }
    /// The positions at which seeks landed.
    var landings: [Duration] {
        events.compactMap { if case .seekLanded(_, let place, _, _) = $0 { place } else { nil } }
    }
    /// The events of refused positions beyond the end.
    var refusals: [PlayerEvent] { events.filter { if case .beyondEnd = $0 { true } else { false } } }
    var hasEnded: Bool { events.contains(.ended) }
    var isOver: Bool { log.withLock { $0.isOver } }

    /// Appends an item to the playlist.
    @discardableResult
    func append(
        _ source: MemoryByteSource, from start: TimeTarget? = nil, until end: TimeTarget? = nil,
        introduction: Duration? = nil, isResumed: Bool = false
    ) -> PlaybackItem {
        let id = sources.add(.success(source))
        return append(id, start, end, introduction, isResumed)
    }

    /// Appends an item that cannot be opened to the playlist.
    @discardableResult
    func append(_ failure: MediaFailure) -> PlaybackItem { append(sources.add(.failure(failure)), nil, nil) }

    private func append(
        _ id: UInt32, _ start: TimeTarget?, _ end: TimeTarget?, _ introduction: Duration? = nil,
        _ isResumed: Bool = false
    ) -> PlaybackItem {
        let item = PlaybackItem(
            id: id, title: "\(id)", podcast: nil, location: "memory", start: start, end: end,
            introduction: introduction, isResumed: isResumed, source: sources.source(id))
        player.send(.append(item))
        return item
    }

    /// Appends the items of `sources`, closes the playlist and plays to its end.
    /// - Returns: True if the end was reached.
    func playOut(_ list: [MemoryByteSource] = []) async -> Bool {
        for source in list { append(source) }
        player.send(.closePlaylist)
        return await eventually { self.hasEnded }
    }

    func stop() async -> Bool {
        player.send(.stop)
        return await eventually { self.isOver }
    }
}

/// The sources of items in memory, by the number of the item.
final class MemorySources: Sendable {
    private let list = Mutex<[Result<MemoryByteSource, MediaFailure>]>([])
    private struct Count {
        var opened = 0
        var open: [MemoryByteSource] = []
        var mostOpen = 0
    }

    private let count = Mutex(Count())
    /// The alternatives of items.
    let alternatives = Mutex<[PlaybackItem.ID: Result<MemoryByteSource, MediaFailure>]>([:])
    /// The loudness of items that is known before they are played.
    let loudness = Mutex<[PlaybackItem.ID: KnownLoudness]>([:])
    /// The feeds of items.
    let feeds = Mutex<[PlaybackItem.ID: String]>([:])

    /// The items whose format is known before they are opened, as that of files on disk.
    let stored = Mutex<Set<PlaybackItem.ID>>([])

    /// The lists of chapters outside the files.
    let chapters = Mutex<[PlaybackItem.ID: [ChapterList]]>([:])
    /// The functions to call when these lists change.
    let chaptersChanged = Mutex<[PlaybackItem.ID: @Sendable () -> Void]>([:])
    /// The number of times an item was opened.
    var opened: Int { count.withLock { $0.opened } }
    /// The largest number of items that were open at the same time.
    var mostOpen: Int { count.withLock { $0.mostOpen } }
    var isAllClosed: Bool {
        list.withLock { $0.allSatisfy { if case .success(let source) = $0 { source.isClosed } else { true } } }
    }

    func add(_ source: Result<MemoryByteSource, MediaFailure>) -> PlaybackItem.ID {
        list.withLock { list in
            list.append(source)
            return UInt32(list.count - 1)
        }
    }

    /// Returns the source of the item `id`.
    func source(_ id: PlaybackItem.ID) -> any ItemSource { MemoryItemSource(id: id, sources: self) }

    fileprivate func knownFormat(_ id: PlaybackItem.ID, isSoundDue: Bool) -> AudioFormat? {
        guard stored.withLock({ $0.contains(id) }), case .success(let source) = list.withLock({ $0[Int(id)] }),
            case .audio(let format) = TrackContent(of: source, isSoundDue: isSoundDue)
        else { return nil }
        return format
    }

    fileprivate func open(_ id: PlaybackItem.ID) throws(MediaFailure) -> any ByteSource {
        count.withLock { $0.opened += 1 }
        let source = try list.withLock { $0[Int(id)] }.get()
        source.reopen()
        count.withLock { count in
            count.open.removeAll { $0.isClosed }
            count.open.append(source)
            count.mostOpen = max(count.mostOpen, count.open.count)
        }
        return source
    }
}

private struct MemoryItemSource: ItemSource {
    let id: PlaybackItem.ID
    let sources: MemorySources

    var feed: String? { sources.feeds.withLock { $0[id] } }
    func chapterLists() -> [ChapterList] { sources.chapters.withLock { $0[id] ?? [] } }

    func onNewChapters(_ changed: @escaping @Sendable () -> Void) {
        sources.chaptersChanged.withLock { $0[id] = changed }
    }

    func open() throws(MediaFailure) -> any ByteSource { try sources.open(id) }
    func knownFormat(isSoundDue: Bool) -> AudioFormat? { sources.knownFormat(id, isSoundDue: isSoundDue) }
    func alternative() -> (any ItemSource)? { sources.alternatives.withLock { $0[id] }.map(MemoryAlternative.init) }
    func knownLoudness() -> KnownLoudness { sources.loudness.withLock { $0[id] ?? KnownLoudness() } }
}

private struct MemoryAlternative: ItemSource {
    let source: Result<MemoryByteSource, MediaFailure>

    func open() throws(MediaFailure) -> any ByteSource { try source.get() }
}
