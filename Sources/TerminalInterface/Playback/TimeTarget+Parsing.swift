// SPDX-License-Identifier: GPL-3.0-or-later
public import Media
public import Playback

/// An invalid argument or command; the description is a sentence without its full stop.
public struct ArgumentError: Error, Sendable, Equatable, CustomStringConvertible {
    public let description: String

    public init(_ description: String) { self.description = description }
}

extension TimeTarget {
    /// Parses `45:00`, `1:02:03`, `2700`, `2700.5` or `75%`; the last part may have a decimal fraction.
    public init(parsing text: some StringProtocol) throws(ArgumentError) {
        try self.init(parsing: text, percentages: "0% to 100%")
    }

    /// Parses the time of a start or a seek. The end, 100%, is refused later, as each time beyond the end is.
    public init(parsingStart text: some StringProtocol) throws(ArgumentError) {
        try self.init(parsing: text, percentages: "0% or more, but less than 100%")
    }

    private init(parsing text: some StringProtocol, percentages: String) throws(ArgumentError) {
        if text.hasSuffix("%") {
            guard let percent = DecimalNumber(text.dropLast()), percent.double <= 100 else {
                throw ArgumentError("invalid percentage \"\(text)\": write \(percentages)")
            }
            self = .fraction(percent.double / 100)
        } else {
            self = .time(try Duration(writtenAs: text))
        }
    }
}

extension SeekTarget {
    /// Parses `+30` and `-10` as relative seeks, anything else as a `TimeTarget`.
    public init(parsing text: some StringProtocol) throws(ArgumentError) {
        switch text.first {
        case "+": self = .relative(try Self.distance(text))
        case "-": self = .relative(.zero - (try Self.distance(text)))
        default: self = .absolute(try TimeTarget(parsingStart: text))
        }
    }

    /// Parses the time after a sign.
    private static func distance(_ text: some StringProtocol) throws(ArgumentError) -> Duration {
        do throws(ArgumentError) {
            return try Duration(writtenAs: text.dropFirst())
        } catch {
            throw ArgumentError("invalid distance \"\(text)\": write it like +30 or -1:30")
        }
    }
}

extension Duration {
    /// The longest valid time: longer than any recording, and safe from arithmetic overflow.
    private static let mostSeconds: Int64 = 1_000_000_000

    init(writtenAs text: some StringProtocol) throws(ArgumentError) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard (1...3).contains(parts.count), let last = DecimalNumber(parts[parts.count - 1]) else {
            throw .noTime(text)
        }
        var seconds: Int64 = 0
        for (place, part) in parts.enumerated() {
            let number = place == parts.count - 1 ? last : DecimalNumber(part)
            guard let number, number.isWhole || place == parts.count - 1 else { throw .noTime(text) }
            guard number.whole <= Self.mostSeconds, seconds <= Self.mostSeconds else { throw .noTime(text) }
            guard place == 0 || number.whole < 60 else {
                throw ArgumentError("invalid time \"\(text)\": a number after a colon must be 0 to 59")
            }
            seconds = seconds * 60 + number.whole
        }
        guard seconds <= Self.mostSeconds else { throw .noTime(text) }
        self = .seconds(seconds) + .nanoseconds(last.nanos)
    }
}

extension Duration {
    /// The longest shift of a transcript: longer than all advertisements of an episode.
    private static let longestShift = Duration.seconds(24 * 3600)

    /// Parses the shift of a transcript: `+35`, `-2.5` or `0`.
    public init(parsingShift text: some StringProtocol) throws(ArgumentError) {
        let isNegative = text.first == "-"
        let shift: Duration
        do throws(ArgumentError) {
            shift = try Duration(writtenAs: text.dropFirst(isNegative || text.first == "+" ? 1 : 0))
        } catch {
            throw ArgumentError("invalid shift \"\(text)\": write +35, -2.5 or 0")
        }
        guard shift <= Self.longestShift else {
            throw ArgumentError("invalid shift \"\(text)\": write at most 24:00:00")
        }
        self = isNegative ? .zero - shift : shift
    }
}

extension ArgumentError {
    fileprivate static func noTime(_ text: some StringProtocol) -> ArgumentError {
        // A percentage is parsed here only where none is possible.
        let forms = text.hasSuffix("%") ? "45:00, 1:02:03 or 2700" : "45:00, 1:02:03, 2700 or 75%"
        return ArgumentError("invalid time \"\(text)\": write \(forms)")
    }
}

/// Digits with at most one decimal point between or before them; no sign, no exponent.
struct DecimalNumber {
    let whole: Int64
    /// The fraction in billionths, rounded down.
    let nanos: Int64
    let isWhole: Bool

    var double: Double { Double(whole) + Double(nanos) / 1_000_000_000 }

    init?(_ text: some StringProtocol) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let digits = parts.joined()
        guard parts.count <= 2, !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        guard let whole = parts[0].isEmpty ? 0 : Int64(parts[0]) else { return nil }
        let fraction = parts.count == 2 ? String(parts[1].prefix(9)) : ""
        self.whole = whole
        nanos = Int64(fraction + String(repeating: "0", count: 9 - fraction.count)) ?? 0
        isWhole = parts.count == 1
    }
}

extension RepeatMode {
    /// Parses `off`, `one` or `all`.
    public init(parsing text: some StringProtocol) throws(ArgumentError) {
        guard let mode = RepeatMode(rawValue: String(text)) else {
            throw ArgumentError("invalid repeat mode \"\(text)\": write off, one or all")
        }
        self = mode
    }
}
