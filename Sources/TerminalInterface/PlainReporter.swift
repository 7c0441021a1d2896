// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// Plain lines on standard error, for where lines cannot be drawn over: a file, a pipe, a dumb terminal.
///
/// At most one line of progress a second and none that says what the last one said; trouble is told at once.
public struct PlainReporter: PlaybackReporter {
    private static let interval: Duration = .seconds(1)

    private let glyphs: LineStyle.Glyphs
    private var lastLine = ""
    private var lastTime: Duration?

    public init(style: LineStyle) { glyphs = style.glyphs }

    public mutating func report(_ event: PlayerEvent, status: PlayerStatus, at now: Duration) -> [ReportText] {
        if let sentence = Sentence.event(event) { return [sentence] }
        return refresh(status, at: now)
    }

    public mutating func refresh(_ status: PlayerStatus, at now: Duration) -> [ReportText] {
        if let lastTime, now - lastTime < Self.interval { return [] }
        // Before the first item, and where none could be had, there is nothing to tell; a lost output was told.
        guard let line = Self.line(status, glyphs: glyphs) else { return [] }
        guard line != lastLine else { return [] }
        (lastLine, lastTime) = (line, now)
        return [.error(line + "\n")]
    }

    public mutating func answer(_ answer: CommandAnswer) -> [ReportText] {
        answer.problem.map { [Sentence.note($0)] } ?? []
    }

    public mutating func report(_ failure: MediaFailure, about subject: String) -> [ReportText] {
        [Sentence.failure(failure, about: subject)]
    }

    public mutating func note(_ sentence: String) -> [ReportText] { [Sentence.note(sentence)] }

    public mutating func finish() -> [ReportText] { [] }

    /// `playing 0:12 / ~58:20, 1.2 MB/s, 34 MB left: The Podcast - An Episode`
    private static func line(_ status: PlayerStatus, glyphs: LineStyle.Glyphs) -> String? {
        guard let item = status.item else { return nil }
        if case .noDevice = status.activity { return nil }
        var line = ActivityText(status).words
        line += " \(ClockText.position(status)) / \(ClockText.time(status.duration))"
        let download = DownloadText(status.arrival).long
        if !download.isEmpty { line += ", " + download }
        let title = [item.podcast, item.title].compactMap { $0 }.joined(separator: " - ")
        return line + ": " + PrintableText(title, asciiOnly: glyphs == .ascii).text
    }
}
