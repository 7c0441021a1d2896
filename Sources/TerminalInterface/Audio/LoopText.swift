// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
import AudioFiles
public import Media

/// The status line of `earshot loop`.
public struct LoopText: Sendable {
    /// The title, safe to show.
    public let title: String
    private let format: AudioFormat
    private let draws: Bool
    private var line = RedrawnLine(width: 0)

    /// - Parameter draws: true if the terminal can redraw a line.
    public init(title: String, format: AudioFormat, draws: Bool) {
        self.title = PrintableText(title).text
        self.format = format
        self.draws = draws
    }

    /// Redraws the line if it changed.
    /// - Parameter width: the columns of the terminal.
    public mutating func refresh(_ status: StreamingStatus, isPaused: Bool, width: Int) -> [ReportText] {
        guard draws else { return [] }
        line.width = width
        let whole = PrintableText(Self.line(status, isPaused: isPaused, title: title, format))
        return line.draw { whole.cut(to: max(1, $0), ellipsis: "").text }
    }

    /// Erases the line.
    public mutating func finish() -> [ReportText] { line.erase() }

    /// Returns a line such as `playing 0:41.2 in 0:40.0-0:44.5 pass 2 of 5 backward 0.75x The storm`.
    static func line(
        _ status: StreamingStatus, isPaused: Bool, title: String, _ format: AudioFormat
    ) -> String {
        func time(_ frame: Int64) -> String { ClockText.tenths(format.duration(ofFrames: frame)) }
        var parts = [isPaused ? "paused" : "playing", time(status.frame)]
        if let loop = status.loop {
            let times = loop.times.map { " of \($0)" } ?? ""
            // A section up to the end of an incomplete download has no known end.
            let end = status.length.frames.map { time(min($0, loop.end)) } ?? ""
            parts[1] += " in \(time(loop.start))-\(end)"
            parts.append("pass \(status.repeats + 1)\(times)")
        }
        if status.direction == .backward { parts.append("backward") }
        if status.rate != 1 { parts.append("\((status.rate * 100).rounded() / 100)x") }
        return (parts + [title]).joined(separator: " ")
    }
}
