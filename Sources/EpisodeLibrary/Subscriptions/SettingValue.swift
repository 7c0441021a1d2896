// SPDX-License-Identifier: GPL-3.0-or-later

/// The value of a setting. Its description is the stored text, which can be parsed to the same value.
public enum SettingValue: Sendable, Equatable, CustomStringConvertible {
    /// The setting imposes no limit and no rule.
    case off
    case count(Int)
    case bytes(Int64)
    /// A duration in whole seconds.
    case duration(Duration)
    case words(TitleWords)

    /// The form of a setting's value.
    public enum Kind: Sendable, Equatable {
        /// A number; the unit may follow it.
        case count(ClosedRange<Int>, unit: Character?)
        case bytes
        case duration
        case words
    }

    public var description: String {
        switch self {
        case .off: "off"
        case .count(let count): "\(count)"
        case .bytes(let bytes): ByteCountText.text(bytes)
        case .duration(let duration): DurationText.text(duration)
        case .words(let words): words.description
        }
    }
}

extension SettingValue {
    /// Parses a value.
    /// - Throws: `invalid` with the accepted form.
    public init(parsing text: String, for key: SettingKey) throws(LibraryError) {
        guard let value = Self.read(text, for: key) else {
            throw LibraryError(.invalid, "invalid value \"\(text)\" for \(key.rawValue): use \(key.kind.form)")
        }
        self = value
    }

    static func read(_ text: String, for key: SettingKey) -> SettingValue? {
        // Only settings with the default `off` accept it; for the others zero has that meaning, if anything.
        if text.lowercased() == "off" { return key.standard == .off ? .off : nil }
        switch key.kind {
        case .count(let range, let unit):
            let digits = unit.map { text.lowercased().hasSuffix(String($0)) } ?? false ? text.dropLast() : text[...]
            guard let count = Int(digits), range.contains(count) else { return nil }
            return .count(count)
        case .bytes: return ByteCountText.bytes(text).map(SettingValue.bytes)
        case .duration: return DurationText.duration(text).map(SettingValue.duration)
        case .words: return TitleWords(text).map(SettingValue.words)
        }
    }
}

extension SettingValue.Kind {
    /// A description of the accepted form, for messages.
    public var form: String {
        switch self {
        case .count(let range, nil): "a whole number, \(range.lowerBound) to \(range.upperBound)"
        case .count(let range, "h"?): "a whole number of hours, \(range.lowerBound) to \(range.upperBound)"
        case .count(let range, _): "a whole number of days, \(range.lowerBound) to \(range.upperBound)"
        case .bytes: "a size like 500MB, 10GB or 1.5GiB"
        case .duration: "a time like 90s, 10m, 1h30m or 45:00"
        case .words: "words like \"news talk -repeat\""
        }
    }
}
