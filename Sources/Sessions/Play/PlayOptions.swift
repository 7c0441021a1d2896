// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioProcessing
package import EpisodeSources
package import Media
package import Playback
package import TerminalInterface

/// The options of `earshot play`.
package struct PlayOptions: Sendable {
    /// URLs, paths and names in the library, in playing order; if empty, `list`.
    package var targets: [String]
    /// The list to play if there are no targets.
    package var list: LibraryTargets.List
    package var scope: LibraryTargets.Scope
    /// The value of `--episode`; `nil` if it is absent.
    package var episode: EpisodeChoice?
    package var output: OutputOption
    /// The number or title of the bookmark to start at, in the episode of the first target if there is one.
    package var bookmark: String?
    package var from: StartTarget?
    package var until: TimeTarget?
    /// True if the command line has `output`.
    package var isOutputChosen: Bool
    /// The gain, 0 ... 1.5; `nil` for the remembered one.
    package var volume: Double?
    /// The processing of the sound that replaces the settings of each podcast.
    package var sound: SoundChanges
    package var sleep: SleepTimer?
    /// `nil` to repeat nothing, or what the service repeats already.
    package var repeatMode: RepeatMode?
    package var shown: ShownContent?
    package var session: SessionOptions
    /// True if standard input contains commands instead of keys.
    package var readsCommands: Bool
    /// True to leave the control socket and the desktop to other processes.
    package var isApart: Bool
    /// True for a player that other programs control.
    var isService = false

    package init(
        targets: [String], list: LibraryTargets.List = .queue, scope: LibraryTargets.Scope,
        episode: EpisodeChoice? = nil, output: OutputOption?, bookmark: String? = nil, from: StartTarget? = nil,
        until: TimeTarget? = nil, volume: Double?, sound: SoundChanges = SoundChanges(), sleep: SleepTimer? = nil,
        repeatMode: RepeatMode?, shown: ShownContent? = nil, session: SessionOptions, readsCommands: Bool,
        isApart: Bool = false
    ) {
        self.targets = targets
        self.list = list
        self.scope = scope
        self.episode = episode
        self.output = output ?? .pulse(sink: nil)
        isOutputChosen = output != nil
        self.bookmark = bookmark
        self.from = from
        self.until = until
        self.volume = volume
        self.sound = sound
        self.sleep = sleep
        self.repeatMode = repeatMode
        self.shown = shown
        self.session = session
        self.readsCommands = readsCommands
        self.isApart = isApart
    }

    /// True if somebody can resume or end playback that waits.
    var isAttended: Bool { isService || readsCommands || Terminal.standardInputIsTerminal }

    /// True if other programs may control the playback: sound that a listener hears, or its silent double.
    var ownsPlayback: Bool {
        switch output {
        case .pulse, .null: !isApart
        case .nullFast, .wav, .raw: false
        }
    }
}

/// The options of `earshot feed parse`.
package struct FeedParseOptions: Sendable {
    /// A URL, a path, or `-` for standard input.
    package var source: String
    package var url: String?
    package var contentType: String?
    /// True to report repairs.
    package var reportsRepairs: Bool

    package init(
        source: String, url: String? = nil, contentType: String? = nil, reportsRepairs: Bool
    ) {
        self.source = source
        self.url = url
        self.contentType = contentType
        self.reportsRepairs = reportsRepairs
    }
}
