// SPDX-License-Identifier: GPL-3.0-or-later
public import EpisodeLibrary
import Media

/// The output of `earshot transcript`, and of the search in transcripts.
public struct TranscriptText: Sendable {
    /// The width of a line for other outputs than a terminal: one line for each paragraph.
    private static let unbroken = 1_000_000
    private static let indent = 4
    /// The length of a sentence if the width of the terminal is unknown.
    private static let usualColumns = 240

    private let layout: ListLayout

    public init(_ layout: ListLayout) { self.layout = layout }

    // MARK: One transcript

    /// Returns the lines, and a remark if their times belong to another version of the audio.
    public func plain(_ stored: StoredTranscript) -> [ReportText] {
        let lines = stored.lines(width: layout.width ?? Self.unbroken).map { $0 + "\n" }
        return (stored.timing == .approximate ? [Self.approximate] : []) + [.output(lines.joined())]
    }

    public static func json(_ stored: StoredTranscript, of episode: EpisodeSummary) -> [ReportText] {
        let value = JSONValue.object([
            .init("episode", .integer(episode.id)),
            .init("title", LibraryJSON.text(episode.title)),
            .init("url", .string(episode.shown(stored.url))),
            .init("language", LibraryJSON.text(stored.language)),
            .init("stored", LibraryJSON.time(stored.storedAt)),
            .init("version", LibraryJSON.text(stored.version)),
            .init("shift", .seconds(stored.shifts.first)),
            .init("laterShifts", LibraryJSON.laterShifts(stored.shifts)),
            .init("timing", .string(stored.timing.rawValue)),
            .init("cues", .array(stored.cues.map { .object(LibraryJSON.members($0)) })),
        ])
        return [.output(LibraryJSON.line(value))]
    }

    /// Reports that a transcript ends before a time.
    public static func none(after time: Duration) -> ReportText {
        LibraryRemark.message("The transcript has no text after \(ClockText.time(time)).")
    }

    /// The remark that a time in a transcript may be wrong.
    public static let approximate = LibraryRemark.message(
        "The times are approximate: the audio differs from the version for which the transcript was made.")

    /// Returns the message of `--shift`.
    /// - Parameter start: the time from which it applies; `nil` is the beginning.
    public static func shifted(_ episode: EpisodeSummary, by shift: Duration, from start: Duration?) -> ReportText {
        let what =
            switch (start, shift) {
            case (nil, .zero): "is no longer shifted"
            case (let start?, .zero): "is no longer shifted at \(ClockText.time(start))"
            case (nil, _): "is shifted by \(distance(shift))"
            case (let start?, _): "is shifted by \(distance(shift)) from \(ClockText.time(start)) on"
            }
        return LibraryRemark.message("The transcript of episode \(episode.id) \"\(episode.name)\" \(what).")
    }

    private static func distance(_ shift: Duration) -> String {
        (shift < .zero ? "-" : "+") + ClockText.tenths(shift < .zero ? .zero - shift : shift)
    }

    // MARK: Search

    /// Returns each episode with the sentences that were found in it.
    public func plain(_ hits: [TranscriptHit], query: String) -> [ReportText] {
        let episodes = hits.map(\.episode)
        let table = EpisodeTable(layout).lines(episodes)
        return hits.indices.map { index in
            let isNew = index == 0 || episodes[index - 1].id != episodes[index].id
            return .output((isNew ? table[index] + "\n" : "") + sentence(hits[index], query) + "\n")
        }
    }

    private func sentence(_ hit: TranscriptHit, _ query: String) -> String {
        let mark = hit.timing == .approximate ? "~" : ""
        let time = hit.time.map { mark + ClockText.time($0.lowerBound) + "  " } ?? ""
        let speaker = hit.speaker.map { layout.text($0).text + ": " } ?? ""
        let head = ListLayout.blanks(Self.indent) + time + speaker
        let columns = max(Self.indent, (layout.width ?? Self.usualColumns) - head.terminalColumns)
        let text = NotesSnippet.text(of: hit.sentence, around: query, columns: columns, ellipsis: layout.ellipsis)
        return head + layout.text(text ?? hit.sentence).cut(to: columns, ellipsis: layout.ellipsis).text
    }

    public static func json(_ hits: [TranscriptHit]) -> [ReportText] {
        hits.map { hit in
            let found: [JSONValue.Member] = [
                .init("start", LibraryJSON.seconds(hit.time?.lowerBound)),
                .init("end", LibraryJSON.seconds(hit.time?.upperBound)),
                .init("speaker", LibraryJSON.text(hit.speaker)),
                .init("sentence", .string(hit.sentence)),
                .init("timing", .string(hit.timing.rawValue)),
            ]
            return .output(LibraryJSON.line(.object(LibraryJSON.members(hit.episode) + found)))
        }
    }

    /// Reports a search without results.
    public static func none(with words: String) -> ReportText {
        LibraryRemark.message(
            "No stored transcript has the words \"\(words)\". Transcripts are stored when episodes are downloaded or "
                + "played.")
    }
}

extension LibraryJSON {
    /// Returns the corrections of a transcript after its beginning.
    static func laterShifts(_ shifts: TranscriptShifts) -> JSONValue {
        .array(
            shifts.steps.filter { $0.start != .zero }.map { step in
                .object([.init("start", .seconds(step.start)), .init("shift", .seconds(step.shift))])
            })
    }

    static func members(_ line: TranscriptLine) -> [JSONValue.Member] {
        [
            .init("start", seconds(line.time?.lowerBound)), .init("end", seconds(line.time?.upperBound)),
            .init("speaker", text(line.speaker)), .init("text", .string(line.text)),
        ]
    }
}
