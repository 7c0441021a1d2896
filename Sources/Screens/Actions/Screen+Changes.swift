// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TerminalInterface

/// The actions that run a command of `earshot`.
extension Screen {
    mutating func change(_ action: ScreenAction) -> [ScreenEffect] {
        switch action {
        case .undo: return run(["undo"])
        case .refresh: return run(["refresh"])
        default: break
        }
        if focus == .podcasts, let podcast = podcasts.selectedPodcast {
            return run(["queue", action == .queue ? "add" : "next", "p\(podcast.id)"])
        }
        return focusedEpisode.map { change($0, action) } ?? []
    }

    private mutating func change(_ row: EpisodeRow, _ action: ScreenAction) -> [ScreenEffect] {
        switch action {
        case .queue, .queueNext:
            update(row.id) { $0.isQueued = true }
            return run(["queue", action == .queue ? "add" : "next", "\(row.id)"])
        case .download:
            update(row.id) { $0.download = $0.download ?? .wanted }
            return run(["download", "\(row.id)"])
        case .mark:
            let isPlayed = row.progress == .played
            update(row.id) { $0.progress = isPlayed ? .unplayed : .played }
            return run(["mark", isPlayed ? "unplayed" : "played", "\(row.id)"])
        case .moveDown, .moveUp:
            guard let place = lists[.queue]?.moveSelected(by: action == .moveDown ? 1 : -1) else { return [] }
            return run(["queue", "move", "\(row.id)", "\(place + 1)"])
        default: return run(["why", "\(row.id)"], showsOutput: true)
        }
    }

    mutating func remove() -> [ScreenEffect] {
        if focus == .podcasts, let podcast = podcasts.selectedPodcast {
            typing = Typing(.command, "unsubscribe p\(podcast.id)")
            return []
        }
        guard let row = focusedEpisode else { return [] }
        if focus == .queue {
            lists[.queue]?.remove(row.id)
            update(row.id) { $0.isQueued = false }
            return run(["queue", "remove", "\(row.id)"])
        }
        lists[.downloads]?.remove(row.id)
        update(row.id) { ($0.download, $0.downloaded, $0.failure) = (nil, nil, nil) }
        return run(["remove", "\(row.id)"])
    }

    /// Shows a change before the command ends, so that a key has an effect within one frame.
    private mutating func update(_ id: Int64, _ change: (inout EpisodeRow) -> Void) {
        for pane in lists.keys { lists[pane]?.update(id, change) }
    }

    /// True while a change of the library runs or waits.
    var hasChanges: Bool { runs.values.contains { $0.command.isChange } }

    /// Runs a command in the background, unless the same one still runs. A change waits for the changes before it.
    mutating func run(_ arguments: [String], showsOutput: Bool = false) -> [ScreenEffect] {
        let command = CommandRun(id: lastRun + 1, arguments: arguments)
        guard command.isChange || !runs.values.contains(where: { $0.command.arguments == arguments }) else {
            message = ("\"\(arguments.joined(separator: " "))\" is still running.", false)
            return []
        }
        let waits = command.isChange && hasChanges
        lastRun += 1
        runs[lastRun] = BackgroundRun(command: command, showsOutput: showsOutput, keyCount: keyCount)
        if waits { waiting.append(command) }
        return waits ? [] : [.run(command)]
    }

    mutating func take(_ state: CommandState, of id: CommandRun.ID) -> [ScreenEffect] {
        guard let run = runs[id] else { return [] }
        switch state {
        case .progress(let line): runs[id]?.progress = line
        case .ended(let status, let output, let errors):
            runs[id] = nil
            reload()
            finish(run, status: status, output: Self.lines(output), errors: Self.lines(errors))
            return run.command.isChange ? continueChanges() : []
        }
        return []
    }

    /// Starts the next change, or leaves after the last one.
    private mutating func continueChanges() -> [ScreenEffect] {
        if !waiting.isEmpty { return [.run(waiting.removeFirst())] }
        guard let departure else { return [] }
        isLeaving = true
        return [departure]
    }

    private mutating func finish(_ run: BackgroundRun, status: Int32, output: [String], errors: [String]) {
        let name = run.command.arguments.joined(separator: " ")
        if run.showsOutput, output.count > 1, run.keyCount == keyCount {
            showOutput(name, output)
        } else if let line = run.showsOutput ? output.last : output.first {
            // The last line of a typed command is its summary.
            message = (line, false)
        }
        let sentences = errors.prefix { line in !Self.explanations.contains { line.hasPrefix($0) } }.map(Self.sentence)
        if status == 0 {
            remark(sentences, of: run, summary: output.first)
        } else {
            let unknown = "\"earshot \(name)\" failed with the exit status \(status)."
            for sentence in sentences.isEmpty ? [unknown] : sentences.reversed() { fail(sentence) }
        }
    }

    /// Shows what a successful command wrote to standard error: remarks, or the podcasts whose refresh failed.
    private mutating func remark(_ sentences: [String], of run: BackgroundRun, summary: String?) {
        guard let first = sentences.first else { return }
        if run.command.arguments.first == "refresh" {
            for sentence in sentences.reversed() { errors.add(sentence) }
            message = (summary.map { "\($0) \(first)" } ?? first, true)
        } else if summary == nil {
            message = (first, false)
        }
    }

    private static func lines(_ lines: [String]) -> [String] { lines.filter { $0.contains { !$0.isWhitespace } } }

    /// The beginnings of the lines that follow a usage error.
    private static let explanations = ["Help: ", "Usage: "]

    /// Removes the name of the program, which a list of its own errors need not repeat.
    private static func sentence(_ line: String) -> String {
        let start = ["earshot: ", "Error: "].first { line.hasPrefix($0) }
        return String(line.dropFirst(start?.count ?? 0))
    }
}

/// A title inside a sentence.
enum PlainTitle {
    static func text(_ title: String) -> String { PrintableText(title.prefix(500)).text }
}
