// SPDX-License-Identifier: GPL-3.0-or-later

/// A view of the screen, with its number.
enum ScreenTab: Int, Sendable, CaseIterable {
    case queue = 1
    case podcasts, new, downloads, find, playing, settings, errors

    var name: String {
        switch self {
        case .queue: "Queue"
        case .podcasts: "Podcasts"
        case .new: "New"
        case .downloads: "Downloads"
        case .find: "Find"
        case .playing: "Now"
        case .settings: "Settings"
        case .errors: "Errors"
        }
    }

    var action: ScreenAction {
        switch self {
        case .queue: .showQueue
        case .podcasts: .showPodcasts
        case .new: .showNew
        case .downloads: .showDownloads
        case .find: .showFind
        case .playing: .showPlaying
        case .settings: .showSettings
        case .errors: .showErrors
        }
    }

    /// The panes between which the focus moves.
    var panes: [Pane] {
        switch self {
        case .queue: [.queue]
        case .podcasts: [.podcasts, .episodes]
        case .new: [.new]
        case .downloads: [.downloads]
        case .find: [.found]
        case .playing: [.chapters, .queue]
        case .settings: [.settings]
        case .errors: [.errors]
        }
    }
}

/// A list that can have the focus.
enum Pane: Sendable, Hashable, CaseIterable {
    case queue, podcasts, episodes, new, downloads, found, chapters, settings, errors
}
