// SPDX-License-Identifier: GPL-3.0-or-later
import Media
public import Screens
import TerminalInterface

/// The output of a command that runs in the background: its lines, and its progress if it writes JSON. A pure value.
public struct CommandOutput: Sendable {
    /// The most lines that are kept of each stream.
    private static let mostLines = 10_000

    /// The commands whose progress is shown. They run with `--json`, and their events become sentences again.
    private enum Kind { case refresh, download, other }

    private let kind: Kind
    /// The episode that a download names by its number.
    private let episode: Int64?
    /// The arguments to run.
    public let arguments: [String]
    private var output: [String] = []
    private var errors: [String] = []
    private var splitters = (output: LineSplitter(), errors: LineSplitter())
    private var progress = FeedProgress()
    private var title = ""
    /// True while a download waits for space on the disk.
    private var isHeld = false

    public init(_ arguments: [String]) {
        let isPlain = !arguments.contains { ["--json", "--help", "-h", "--quiet"].contains($0) }
        switch arguments.first {
        case "refresh" where isPlain: kind = .refresh
        case "download" where isPlain: kind = .download
        default: kind = .other
        }
        episode = arguments.count == 2 ? arguments.last.flatMap { Int64($0) } : nil
        self.arguments = kind == .other ? arguments : arguments + ["--json"]
    }

    /// The number of podcasts that a refresh asks for, if it is known.
    public mutating func expect(feeds: Int) { progress.total = feeds }

    /// Accepts bytes of standard output.
    /// - Returns: the events that they cause.
    public mutating func receive(_ bytes: some Sequence<UInt8>, of id: CommandRun.ID) -> [ScreenEvent] {
        splitters.output.consume(bytes).flatMap { handle($0, id) }
    }

    /// Accepts bytes of standard error.
    public mutating func receive(errors bytes: some Sequence<UInt8>) {
        for case .text(let line) in splitters.errors.consume(bytes) { add(error: line) }
    }

    /// Returns the state after the end of the command.
    public mutating func finish(status: Int32, of id: CommandRun.ID) -> [ScreenEvent] {
        var events = splitters.output.finish().map { handle($0, id) } ?? []
        if case .text(let line)? = splitters.errors.finish() { add(error: line) }
        if kind == .download, status == 0, output.isEmpty { output.append("Nothing to download.") }
        if kind == .refresh, status == 0 || progress.done > 0 { output.insert(progress.summary, at: 0) }
        events.append(.command(id, .ended(status: status, output: output, errors: errors)))
        return events
    }

    private mutating func add(error line: String) {
        guard !line.isEmpty, errors.count < Self.mostLines else { return }
        errors.append(line.hasPrefix("earshot: ") ? String(line.dropFirst(9)) : line)
    }

    private mutating func handle(_ line: LineSplitter.Line, _ id: CommandRun.ID) -> [ScreenEvent] {
        guard case .text(let text) = line else { return [] }
        let object = kind == .other ? nil : try? JSONValue(parsing: text)
        switch (kind, object) {
        case (.refresh, let object?):
            if let line = progress.add(object) { output.append(line) }
            if let error = FeedProgress.failure(object) { add(error: error) }
            return [.command(id, .progress(progress.text))]
        case (.download, let object?): return download(object, id)
        default:
            if output.count < Self.mostLines { output.append(text) }
            return []
        }
    }

    private mutating func download(_ event: JSONValue, _ id: CommandRun.ID) -> [ScreenEvent] {
        switch event["event"]?.string {
        case "download" where event["phase"]?.string == "begin": title = event["title"]?.string ?? ""
        case "download":
            output.append("\(title): downloaded")
            return state(.complete, 1, event)
        // Standard error has the same failure as a sentence.
        case "error": return state(.failed, nil, event)
        case "progress":
            let progress = event["download"] ?? .null
            let total = progress["total"]?.integer ?? 0
            let stored = progress["bytes"]?.integer ?? 0
            let fraction = total > 0 ? min(1, Double(stored) / Double(total)) : nil
            let percent = fraction.map { " \(Int($0 * 100))%" } ?? ""
            let reason = event["reason"]?.string.map { ": \($0)" } ?? ""
            return [.command(id, .progress("\(title)\(percent)\(reason)"))] + holds(event)
                + state(.partial, fraction, progress)
        default: break
        }
        return []
    }

    /// Returns the reason when a download begins to wait: it is an error although the command does not end.
    private mutating func holds(_ event: JSONValue) -> [ScreenEvent] {
        let wasHeld = isHeld
        isHeld = event["download"]?["state"]?.string == "held"
        guard isHeld, !wasHeld, let reason = event["reason"]?.string else { return [] }
        return [.failure(title.isEmpty ? reason : "\(title): \(reason)")]
    }

    private func state(_ state: EpisodeRow.Download, _ fraction: Double?, _ progress: JSONValue) -> [ScreenEvent] {
        guard let episode else { return [] }
        let left = progress["total"]?.integer.flatMap { total in progress["bytes"]?.integer.map { max(0, total &- $0) }
        }
        return [
            .download(
                DownloadState(
                    episode, state, fraction: fraction, bytesPerSecond: progress["rate"]?.double, bytesLeft: left))
        ]
    }
}

/// The results of a refresh so far (docs/json-library.md, `refresh`).
private struct FeedProgress {
    var total: Int?
    private(set) var done = 0
    private var episodes = 0, podcasts = 0, failures = 0

    var text: String { total.map { "\(done) of \(max($0, done)) feeds" } ?? CountText.text(done, "feed") }

    var summary: String {
        let found = episodes == 0 ? "No new episodes" : CountText.text(episodes, "new episode")
        let place = podcasts == 0 ? "" : " in \(CountText.text(podcasts, "podcast"))"
        let failed = failures == 0 ? "" : " \(CountText.text(failures, "feed")) failed."
        return "\(found)\(place).\(failed)"
    }

    /// - Returns: a sentence about new episodes; `nil` if there are none.
    mutating func add(_ feed: JSONValue) -> String? {
        guard let outcome = feed["outcome"]?.string else { return nil }
        done += 1
        if outcome == "failed" || outcome == "gone" { failures += 1 }
        let new = feed["new"]?.elements?.count ?? 0
        guard new > 0 else { return nil }
        episodes += new
        podcasts += 1
        return "\(feed["title"]?.string ?? ""): \(new) new"
    }

    static func failure(_ feed: JSONValue) -> String? {
        guard let outcome = feed["outcome"]?.string, outcome == "failed" || outcome == "gone" else { return nil }
        return "\(feed["title"]?.string ?? ""): \(feed["reason"]?.string ?? "the feed no longer exists")"
    }
}
