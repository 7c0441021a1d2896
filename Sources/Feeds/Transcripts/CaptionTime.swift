// SPDX-License-Identifier: GPL-3.0-or-later

/// Parses the timing line of a caption: `00:01:02.500 --> 00:01:04,000 align:start`.
///
/// Source: WebVTT, 6.3. SubRip has a comma in place of the point.
enum CaptionTime {
    private static let arrow = Array("-->".utf8)
    /// The maximum length of a timing line with its settings.
    private static let longestLine = 1 << 10
    /// The latest time; a later one is a mistake.
    static let latest = Duration.seconds(1000 * 3600)

    /// True if the line contains an arrow, which no other line of WebVTT may contain.
    static func hasArrow(_ line: UnsafeBufferPointer<UInt8>) -> Bool { arrowIndex(line) != nil }

    /// - Returns: `nil` if the line is not a timing line. An end before the start counts as missing.
    static func range(_ line: UnsafeBufferPointer<UInt8>) -> Range<Duration>? {
        guard line.count <= longestLine, let index = arrowIndex(line),
            // Some programs write the number of the cue on the same line.
            let first = ASCII.trimmed(line[..<index]).split(whereSeparator: ASCII.isSpace).last,
            let last = ASCII.trimmed(line[(index + arrow.count)...]).split(whereSeparator: ASCII.isSpace).first,
            first.contains(UInt8(ascii: ":")), last.contains(UInt8(ascii: ":")),
            let start = time(first), let end = time(last)
        else { return nil }
        return start..<max(start, end)
    }

    /// Parses a time. Some programs write a colon before the milliseconds: `00:01:02:500`.
    private static func time(_ text: some Collection<UInt8>) -> Duration? {
        var bytes = Array(text)
        let colons = bytes.indices.filter { bytes[$0] == UInt8(ascii: ":") }
        if colons.count == 3, colons[2] == bytes.count - 4 { bytes[colons[2]] = UInt8(ascii: ".") }
        return position(bytes)
    }

    /// Parses a time of a transcript in any format.
    ///
    /// - Returns: `nil` also for minutes or seconds such as those of 99:99:99, and for times after `latest`.
    static func position(_ text: some Collection<UInt8>) -> Duration? {
        guard let time = ItunesDuration.parsePosition(text, mostAfterColon: .seconds(60)), time <= latest else {
            return nil
        }
        return time
    }

    private static func arrowIndex(_ line: UnsafeBufferPointer<UInt8>) -> Int? {
        var index = 0
        while true {
            index = ByteScan.firstIndex(of: UInt8(ascii: "-"), in: line, from: index)
            guard index < line.count else { return nil }
            if line[index...].starts(with: arrow) { return index }
            index += 1
        }
    }
}
