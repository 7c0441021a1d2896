// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The result of rendering a file.
public struct RenderedFile: Sendable, Equatable {
    public var path: String
    public var duration: Duration
    /// The number of clipped samples.
    public var clipped: Int
    /// The gain in decibels at which no sample is clipped.
    public var fittingGain: Double

    public init(path: String, duration: Duration, clipped: Int, fittingGain: Double) {
        (self.path, self.duration, self.clipped, self.fittingGain) = (path, duration, clipped, fittingGain)
    }
}

/// The output of `earshot render`: a progress line and the result.
public struct RenderText: Sendable {
    private let draws: Bool
    private let isQuiet: Bool
    private var line = RedrawnLine(width: 80)

    public init(draws: Bool, isQuiet: Bool) { (self.draws, self.isQuiet) = (draws, isQuiet) }

    public mutating func refresh(_ rendered: Duration?) -> [ReportText] {
        guard draws, let rendered else { return [] }
        return line.draw { _ in "\(ClockText.time(rendered)) written" }
    }

    public mutating func clear() -> [ReportText] { line.erase() }

    public mutating func finish(_ file: RenderedFile) -> [ReportText] {
        let path = PrintableText(file.path).text
        let line = ReportText.error("\(path): \(ClockText.tenths(file.duration)) written\n")
        return clear() + (isQuiet ? [] : [line]) + (file.clipped > 0 ? [Self.clipping(file, path)] : [])
    }

    private static func clipping(_ file: RenderedFile, _ path: String) -> ReportText {
        let samples = file.clipped == 1 ? "1 sample was" : "\(file.clipped) samples were"
        let gain = (file.fittingGain * 10).rounded(.down) / 10
        return .error("earshot: \(path): \(samples) clipped; use --gain \(gain) to avoid this\n")
    }
}

/// An input of `earshot render`: a file or a section of it, as in `talk.mp3` or `talk.mp3@1:00-1:30`.
public struct RenderInput: Sendable, Equatable {
    public let target: String
    /// The section; `nil` for the whole file.
    public let section: SectionTarget?

    public init(target: String, section: SectionTarget?) { (self.target, self.section) = (target, section) }

    /// Parses an input. Text after the last `@` is a section if it has the form of one; a name may contain `@`, too.
    /// - Throws: an error for a section that ends before it begins.
    public init(parsing text: String) throws(ArgumentError) {
        guard let mark = text.lastIndex(of: "@"), mark != text.startIndex,
            text[mark...].dropFirst().allSatisfy({ "0123456789:.%-".contains($0) }), text[mark...].contains("-")
        else {
            (target, section) = (text, nil)
            return
        }
        target = String(text[..<mark])
        section = try SectionTarget(parsing: text[mark...].dropFirst())
    }
}
