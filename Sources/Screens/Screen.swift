// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The full-screen interface as a value: events change it and return effects, and it draws itself as cells.
///
/// The screen never waits: it shows what it has, and asks for the rest by effects.
public struct Screen: Sendable {
    var options: ScreenOptions
    var today: LocalDay
    var size = ScreenSize(columns: 80, rows: 24)
    /// The monotonic time of the last `ScreenEvent.clock`.
    var now = Duration.zero
    var tab = ScreenTab.podcasts
    /// The focused pane of the views that have several.
    var focused: [ScreenTab: Pane] = [:]
    var podcasts = PodcastTree()
    var lists: [Pane: PagedList] = [
        .queue: PagedList(.queue), .episodes: PagedList(.all), .new: PagedList(.new),
        .downloads: PagedList(.downloads), .found: PagedList(.search("")),
    ]
    var counts = LibraryCounts()
    var details: [Int64: EpisodeDetails] = [:]
    /// The settings of the library, then those of the screen itself.
    var settings = FilteredRows<SettingRow>()
    var librarySettings: [SettingRow] = []
    var errors = ErrorList()
    var chapterCursor = ListCursor()
    var downloads: [Int64: DownloadState] = [:]
    var player: PlayerState?
    var typing: Typing?
    var reader: Reader?
    var help: HelpState?
    /// The sentence in the footer, until the next key.
    var message: (text: String, isError: Bool)?
    var runs: [CommandRun.ID: BackgroundRun] = [:]
    /// The changes that wait for the running one, in order.
    var waiting: [CommandRun] = []
    var lastRun = 0
    /// The number of keys so far.
    var keyCount = 0
    /// The keys that wait for the rows they act on.
    var held: [ScreenKey] = []
    var history: [String] = []
    /// The queries besides those of lists that must be sent.
    var wanted: [LibraryQuery] = [.podcasts, .counts]
    /// The details that were asked for, so that a failed query is not repeated.
    var askedDetails: Set<Int64> = []
    var cover: (request: CoverRequest, picture: CoverPicture?)?
    /// The time of the last `ScreenEffect.wake`.
    var wake: Duration?
    var isLeaving = false
    /// The effect that leaves the screen when all changes have ended.
    var departure: ScreenEffect?

    public init(_ options: ScreenOptions) {
        (self.options, today) = (options, options.today)
    }

    /// Handles an event.
    /// - Returns: the effects, which the driver performs in their order. After the effect that leaves the screen,
    ///   there are no more.
    public mutating func handle(_ event: ScreenEvent) -> [ScreenEffect] {
        guard !isLeaving else { return [] }
        let effects = react(to: event)
        return isLeaving ? effects : effects + settle() + releaseKeys()
    }

    /// Returns the whole screen. The driver writes only the differences from the last one.
    public func draw(_ size: ScreenSize, _ traits: TerminalTraits) -> CellGrid {
        var canvas = Canvas(size, traits)
        FrameView(screen: self, layout: Layout(size, tab, focus: focus)).draw(on: &canvas)
        let cursor = canvas.grid.cursor
        canvas.grid.cursor = CellPlace(
            row: min(cursor.row, size.rows - 1), column: min(cursor.column, size.columns - 1))
        return canvas.grid
    }
}

/// A command that runs in the background.
struct BackgroundRun: Sendable {
    let command: CommandRun
    /// True if the listener typed the command and reads its whole output.
    let showsOutput: Bool
    /// The number of keys before it started: its output opens no reader over something else.
    let keyCount: Int
    /// The last line of progress.
    var progress = ""
}

extension Screen {
    var keys: KeyMap { options.keys }

    var layout: Layout { Layout(size, tab, focus: focus) }

    /// True if the library is known to have no podcasts.
    var hasNoPodcasts: Bool { podcasts.podcasts?.isEmpty == true }

    /// The pane that receives keys.
    var focus: Pane { focused[tab] ?? tab.panes[0] }

    /// The selected episode of the focused list; `nil` for other lists and rows that are not loaded.
    var focusedEpisode: EpisodeRow? { lists[focus]?.selected }

    /// The episode whose details are shown.
    var detailedEpisode: Int64? {
        if tab == .playing { return focus == .queue ? focusedEpisode?.id : playingEpisode }
        if tab == .podcasts { return lists[.episodes]?.selected?.id }
        return focusedEpisode?.id
    }

    /// The playing episode; `nil` if nothing from the library plays.
    var playingEpisode: Int64? { player?.item?.episode }

    /// The chapters of the playing item.
    var chapters: [Chapter] {
        let own = ownChapters
        return own.isEmpty ? playingEpisode.flatMap { details[$0]?.chapters } ?? [] : own
    }

    /// True if the times of these chapters may be those of another version of the audio.
    var areChaptersApproximate: Bool {
        let ofDetails = playingEpisode.flatMap { details[$0]?.areChaptersApproximate }
        return (ownChapters.isEmpty ? ofDetails : player?.areChaptersApproximate) ?? false
    }

    /// The chapters that the player knows.
    private var ownChapters: [Chapter] { (player?.chapters ?? []).filter(\.isInTableOfContents) }

    /// The position of playback, computed from the time of the last event.
    var position: Duration? {
        guard let player, let position = player.position else { return nil }
        guard player.rate > 0, options.hasClock, now > player.at else { return position }
        let moved = position + (now - player.at) * min(player.rate, 4)
        return player.duration.value.map { max(position, min(moved, $0)) } ?? moved
    }

    /// The time until the sleep timer pauses; `nil` if it is off or waits for the end of an episode.
    var sleepLeft: Duration? {
        guard let player, let end = player.sleepsAt else { return nil }
        return max(.zero, end - (player.rate > 0 && options.hasClock ? max(now, player.at) : player.at))
    }

    /// The index of the chapter that plays; `nil` between two chapters.
    var currentChapter: Int? { position.flatMap { chapters.playing(at: $0) } }

    /// The index of the last chapter that has begun, where lists of chapters open.
    var begunChapter: Int? { position.flatMap { chapters.begun(at: $0) } }
}
