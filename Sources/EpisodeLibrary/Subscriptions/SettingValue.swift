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
    case factor(hundredths: Int)

    /// What can be written for a setting.
    public enum Kind: Sendable, Equatable {
        /// The unit may be written behind the number.
        case count(ClosedRange<Int>, unit: Character?)
        case bytes
        case duration
        case words
        /// In hundredths.
        case factor(ClosedRange<Int>)
    }

    public var description: String {
        switch self {
        case .off: "off"
        case .count(let count): "\(count)"
        case .bytes(let bytes): ByteCountText.text(bytes)
        case .duration(let duration): DurationText.text(duration)
        case .words(let words): words.description
        case .factor(let hundredths): Self.decimal(hundredths)
        }
    }

    private static func decimal(_ hundredths: Int) -> String {
        let (whole, rest) = (hundredths / 100, hundredths % 100)
        if rest == 0 { return "\(whole)" }
        return rest % 10 == 0 ? "\(whole).\(rest / 10)" : "\(whole).\(rest < 10 ? "0" : "")\(rest)"
    }
}

extension SettingValue {
    /// - Throws: `invalid`, with what can be written.
    public init(parsing text: String, for key: SettingKey) throws(LibraryError) {
        guard let value = Self.read(text, for: key) else {
            throw LibraryError(.invalid, "'\(text)' is nothing that \(key.rawValue) can be: \(key.kind.form)")
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
        case .factor(let range):
            guard let hundredths = hundredths(text), range.contains(hundredths) else { return nil }
            return .factor(hundredths: hundredths)
        }
    }

    private static func hundredths(_ text: String) -> Int? {
        let number = text.hasSuffix("x") ? text.dropLast() : text[...]
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts[0].count <= 3, let whole = Int(parts[0]), whole >= 0 else {
            return nil
        }
        guard parts.count == 2 else { return whole * 100 }
        guard (1...2).contains(parts[1].count), parts[1].allSatisfy({ "0"..."9" ~= $0 }), let rest = Int(parts[1])
        else { return nil }
        return whole * 100 + (parts[1].count == 1 ? rest * 10 : rest)
    }
}

extension SettingValue.Kind {
    /// How it is written, for a sentence.
    public var form: String {
        switch self {
        case .count(let range, nil): "a number from \(range.lowerBound) to \(range.upperBound)"
        case .count(let range, "h"?): "a number of hours from \(range.lowerBound) to \(range.upperBound)"
        case .count(let range, _): "a number of days from \(range.lowerBound) to \(range.upperBound)"
        case .bytes: "a size like 500MB, 10GB or 1.5GiB"
        case .duration: "a time like 90s, 10m, 1h30m or 45:00"
        case .words: "words like 'news talk -repeat'"
        case .factor(let range):
            "a number from \(SettingValue.factor(hundredths: range.lowerBound)) to "
                + "\(SettingValue.factor(hundredths: range.upperBound)), like 1.25"
        }
    }
}
