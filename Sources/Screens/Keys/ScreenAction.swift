// SPDX-License-Identifier: GPL-3.0-or-later

/// Everything that a key can do. The raw values are the names in the key file.
public enum ScreenAction: String, Sendable, CaseIterable {
    case down
    case up
    case top
    case bottom
    case halfDown = "half-down"
    case halfUp = "half-up"
    case pageDown = "page-down"
    case pageUp = "page-up"
    case nextPane = "next-pane"
    case previousPane = "previous-pane"
    case open
    case queue
    case queueNext = "queue-next"
    case moveDown = "move-down"
    case moveUp = "move-up"
    case download
    case remove
    case mark
    case bookmark
    case notes
    case transcript
    case why
    case undo
    case refresh
    case subscribe
    case filter
    case nextMatch = "next-match"
    case previousMatch = "previous-match"
    case command
    case help
    case close
    case toggle
    case back
    case forward
    case previous
    case next
    case nextChapter = "next-chapter"
    case previousChapter = "previous-chapter"
    case louder
    case quieter
    case faster
    case slower
    case normalSpeed = "normal-speed"
    case sleep
    case `repeat`
    case retry
    case showQueue = "show-queue"
    case showPodcasts = "show-podcasts"
    case showNew = "show-new"
    case showDownloads = "show-downloads"
    case showFind = "show-find"
    case showPlaying = "show-playing"
    case showSettings = "show-settings"
    case showErrors = "show-errors"
    case repaint
    case suspend
    case quit
    case stop

    /// The description for the help.
    public var help: String {
        switch self {
        case .down: "Move down."
        case .up: "Move up."
        case .top: "Go to the first row."
        case .bottom: "Go to the last row."
        case .halfDown: "Move down by half a page."
        case .halfUp: "Move up by half a page."
        case .pageDown: "Move down by a page."
        case .pageUp: "Move up by a page."
        case .nextPane: "Go to the next pane."
        case .previousPane: "Go to the previous pane."
        case .open: "Play the episode, or open the row."
        case .queue: "Add the episode to the end of the queue."
        case .queueNext: "Put the episode at the front of the queue."
        case .moveDown: "Move the episode down in the queue."
        case .moveUp: "Move the episode up in the queue."
        case .download: "Download the episode."
        case .remove: "Remove the episode from the queue, its download, or the podcast."
        case .mark: "Mark the episode as played, or as unplayed."
        case .bookmark: "Bookmark the position 3 seconds ago."
        case .notes: "Read the notes of the episode."
        case .transcript: "Read the transcript of the episode."
        case .why: "Explain the state of the episode."
        case .undo: "Undo the last change."
        case .refresh: "Fetch new episodes from the feeds."
        case .subscribe: "Subscribe to a podcast by its URL or its name."
        case .filter: "Show only rows with the typed words."
        case .nextMatch: "Go to the next match."
        case .previousMatch: "Go to the previous match."
        case .command: "Run a command of earshot."
        case .help: "List the keys, and run one of them."
        case .close: "Close the reader, the help or the filter."
        case .toggle: "Pause or resume playback."
        case .back: "Go back by 10 seconds."
        case .forward: "Go forward by 30 seconds."
        case .previous: "Return to the start of the episode, or to the previous one."
        case .next: "Play the next episode."
        case .nextChapter: "Go to the next chapter."
        case .previousChapter: "Go to the previous chapter."
        case .louder: "Raise the volume."
        case .quieter: "Lower the volume."
        case .faster: "Raise the speed."
        case .slower: "Lower the speed."
        case .normalSpeed: "Play at the normal speed."
        case .sleep: "Change the sleep timer."
        case .`repeat`: "Change the repeat mode."
        case .retry: "Request missing bytes again."
        case .showQueue: "Show the queue."
        case .showPodcasts: "Show the podcasts."
        case .showNew: "Show unplayed episodes."
        case .showDownloads: "Show the downloads."
        case .showFind: "Find episodes by words."
        case .showPlaying: "Show the playing episode."
        case .showSettings: "Show the settings."
        case .showErrors: "Show the errors."
        case .repaint: "Draw the screen again."
        case .suspend: "Return to the shell; fg returns to the screen."
        case .quit: "Leave; playback continues."
        case .stop: "Stop playback, and leave."
        }
    }

    /// The word in the footer; empty for actions that the footer leaves out.
    var word: String {
        switch self {
        case .open: "open"
        case .queue: "queue"
        case .queueNext: "next"
        case .moveDown: "move down"
        case .moveUp: "move up"
        case .download: "download"
        case .remove: "remove"
        case .mark: "played"
        case .bookmark: "bookmark"
        case .notes: "notes"
        case .transcript: "transcript"
        case .why: "why"
        case .undo: "undo"
        case .refresh: "refresh"
        case .subscribe: "subscribe"
        case .filter: "filter"
        case .nextMatch: "next match"
        case .previousMatch: "previous match"
        case .command: "command"
        case .help: "help"
        case .close: "close"
        case .toggle: "pause"
        case .back: "-10 s"
        case .forward: "+30 s"
        case .previous: "previous"
        case .next: "next"
        case .nextChapter: "chapter"
        case .previousChapter: "chapter back"
        case .louder: "louder"
        case .quieter: "quieter"
        case .faster: "faster"
        case .slower: "slower"
        case .normalSpeed: "normal speed"
        case .sleep: "sleep"
        case .`repeat`: "repeat"
        case .retry: "retry"
        case .showQueue: "queue"
        case .showPodcasts: "podcasts"
        case .showNew: "new"
        case .showDownloads: "downloads"
        case .showFind: "find"
        case .showPlaying: "now playing"
        case .showSettings: "settings"
        case .showErrors: "errors"
        case .quit: "quit"
        case .stop: "stop"
        default: ""
        }
    }
}

extension ScreenAction {
    /// True for actions that move in a list.
    var isMove: Bool {
        switch self {
        case .down, .up, .top, .bottom, .halfDown, .halfUp, .pageDown, .pageUp: true
        default: false
        }
    }

    /// True for actions that act on the rows of the focused list.
    var isForRows: Bool {
        switch self {
        case .open, .queue, .queueNext, .moveDown, .moveUp, .download, .remove, .mark, .notes, .transcript, .why: true
        default: isMove
        }
    }

    /// True for actions that leave the screen.
    var isDeparture: Bool { self == .quit || self == .stop }
}
