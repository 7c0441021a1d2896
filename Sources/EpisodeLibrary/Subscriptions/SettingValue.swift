// SPDX-License-Identifier: GPL-3.0-or-later

/// What a setting is set to. Its text is what is stored, and reads back as the same value.
public enum SettingValue: Sendable, Equatable, CustomStringConvertible {
    /// No limit, no rule.
    case off
    case count(Int)
    case bytes(Int64)
    /// Whole seconds.
    case duration(Duration)
    case words(TitleWords)

    /// What can be written for a setting.
    public enum Kind: Sendable, Equatable {
        /// The unit may be written behind the number.
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
    /// - Throws: `invalid`, with what can be written.
    public init(parsing text: String, for key: SettingKey) throws(LibraryError) {
        guard let value = Self.read(text, for: key) else {
            throw LibraryError(.invalid, "\(key.rawValue) takes \(key.kind.form): \"\(text)\" is not one")
        }
        self = value
    }

    static func read(_ text: String, for key: SettingKey) -> SettingValue? {
        // Where zero says nothing else, it is what `off` says.
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
    /// How it is written, for a sentence.
    public var form: String {
        switch self {
        case .count(let range, nil): "a whole number, \(range.lowerBound) to \(range.upperBound)"
        case .count(let range, "h"?): "a whole number of hours, \(range.lowerBound) to \(range.upperBound)"
        case .count(let range, _): "a whole number of days, \(range.lowerBound) to \(range.upperBound)"
        case .bytes: "a size like 500MB, 10GB or 1.5GiB"
        case .duration: "a time like 90s, 10m, 1h30m or 45:00"
        case .words: "words like 'news talk -repeat'"
        }
    }
}
