// SPDX-License-Identifier: GPL-3.0-or-later
import AudioProcessing
public import Media
public import Playback

/// A reporter that writes plain lines to standard error, for a file, a pipe or a dumb terminal: a line when the state
/// changes and after a seek. A line each second would fill a log, and a screen reader would read it all out.
public struct PlainReporter: PlaybackReporter {
    /// The shortest time between lines; the last state wins. The end of playback does not wait: no line follows it.
    private static let interval: Duration = .seconds(1)

    /// The state whose changes are reported; it excludes times and figures.
    private struct State: Equatable {
        let item: PlaybackItem.ID
        let activity: String
        let isDownloadInTrouble: Bool
        let volume: Double
        let repeatMode: RepeatMode
        let speed: Double

        init?(_ status: PlayerStatus) {
            guard let item = status.item else { return nil }
            self.item = item.id
            activity = ActivityText(status.activity).words
            isDownloadInTrouble =
                switch status.downloadProgress?.condition {
                case .backingOff, .held, .failed: true
                case nil, .connecting, .receiving, .complete: false
                }
            (volume, repeatMode, speed) = (status.volume, status.repeatMode, status.sound.speed)
        }
    }

    private let glyphs: LineStyle.Glyphs
    private var lastState: State?
    private var lastTime: Duration?
    /// True if an error was reported since the last item started.
    private var hasFailed = false

    public init(style: LineStyle) { glyphs = style.glyphs }

    public mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText] {
        if case .itemStarted = event { hasFailed = false }
        hasFailed = hasFailed || event.isFailure
        if let sentence = Sentence.event(event) { return [sentence] }
        if case .seekLanded = event { lastState = nil }
        return refresh(status, at: now)
    }

    public mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText] {
        if let lastTime, now - lastTime < Self.interval, !status.activity.isOver { return [] }
        if hasFailed, status.activity.isOver { return [] }
        guard let state = State(status), state != lastState else { return [] }
        // A lost output has been reported in more words.
        guard let line = Self.line(status, glyphs: glyphs) else { return [] }
        (lastState, lastTime) = (state, now)
        return [.error(line + "\n")]
    }

    public mutating func report(_ failure: MediaFailure, about subject: String) -> [ReportText] {
        hasFailed = true
        return [Sentence.failure(failure, about: subject)]
    }

    public mutating func note(_ sentence: String) -> [ReportText] { [Sentence.note(sentence)] }

    /// Returns a line such as `playing 0:12 / ~58:20, 1.2 MB/s, 34 MB left: The Podcast - An Episode`.
    private static func line(_ status: PlayerStatus, glyphs: LineStyle.Glyphs) -> String? {
        guard let item = status.item else { return nil }
        if case .noDevice = status.activity { return nil }
        var line = ActivityText(status).words
        line += " \(ClockText.position(status)) / \(ClockText.time(status.duration))"
        let download = DownloadText(status.downloadProgress).long
        if !download.isEmpty { line += ", " + download }
        if let speed = ClockText.speed(status) { line += ", speed \(speed)" }
        if status.volume != 1 { line += ", volume \(Int((status.volume * 100).rounded()))%" }
        if status.repeatMode != .off { line += ", repeat \(status.repeatMode.rawValue)" }
        let title = [item.podcast, item.title].compactMap { $0 }.joined(separator: " - ")
        return line + ": " + PrintableText(title, asciiOnly: glyphs == .ascii).text
    }
}

/// The reporter for `--quiet`: only errors.
public struct QuietReporter: PlaybackReporter {
    public init() {}

    public mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText] {
        Sentence.event(event).map { [$0] } ?? []
    }

    public mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText] { [] }

    public mutating func report(_ failure: MediaFailure, about subject: String) -> [ReportText] {
        [Sentence.failure(failure, about: subject)]
    }

    public mutating func note(_ sentence: String) -> [ReportText] { [] }
}
