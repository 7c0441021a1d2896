// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The value of a setting. Its description is the stored text, which can be parsed to the same value.
public enum SettingValue: Sendable, Equatable, CustomStringConvertible {
    /// The setting imposes no limit and no rule.
    case off
    case count(Int)
    case bytes(Int64)
    /// A duration in whole seconds.
    case duration(Duration)
    /// The value depends on the circumstances.
    case automatic
    case words(TitleWords)
    /// A number, rounded to hundredths.
    case number(Double)
    /// One of the words of the setting.
    case choice(String)
    /// The address of a search with `{words}` in it.
    case search(String)

    /// The form of a setting's value.
    public enum Kind: Sendable, Equatable {
        /// A number; the unit may follow it.
        case count(ClosedRange<Int>, unit: Character?)
        case bytes
        case duration
        case durationOrAutomatic
        case words
        case number(ClosedRange<Double>)
        /// A loudness in LUFS. The minus sign may be omitted.
        case loudness(ClosedRange<Double>)
        case choice([String])
        case search
    }

    public var description: String {
        switch self {
        case .off: "off"
        case .count(let count): "\(count)"
        case .bytes(let bytes): ByteCountText.text(bytes)
        case .duration(let duration): DurationText.text(duration)
        case .automatic: "auto"
        case .words(let words): words.description
        case .number(let number): Self.text(number)
        case .choice(let word): word
        case .search(let address): address
        }
    }

    /// The description without the password and the keys of an address, for lists and messages.
    public var shown: String {
        if case .search(let address) = self { PublicAddress.shown(address) } else { description }
    }

    /// Returns a number without the zeros at its end: `1.5`, `2`.
    private static func text(_ number: Double) -> String {
        let text = "\((number * 100).rounded() / 100)"
        return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
}

extension SettingValue {
    /// Parses a value.
    /// - Throws: `invalid` with the accepted form.
    public init(parsing text: String, for key: SettingKey) throws(LibraryError) {
        guard let value = Self.read(text, for: key) else {
            let shown = if case .search = key.kind { PublicAddress.shown(text) } else { text }
            throw LibraryError(.invalid, "invalid value \"\(shown)\" for \(key.rawValue): use \(key.form)")
        }
        if case .search(let address) = value, PublicAddress.lacksSecrets(address) {
            let reason = "the address lacks its password or key, as in lists: write all of it"
            throw LibraryError(.invalid, "invalid value for \(key.rawValue): \(reason)")
        }
        // A listener who writes 3 means gigabytes: with three bytes, a refresh would delete all downloads.
        let number = text.filter { $0 != " " }
        if case .bytes(let bytes) = value, number.last?.isNumber == true || bytes == 0 {
            let advice = bytes == 0 ? "\"off\" removes the limit" : "write \(number)MB or \(number)GB"
            throw LibraryError(.invalid, "\(key.rawValue) needs a size with a unit: \(advice)")
        }
        self = value
    }

    static func read(_ text: String, for key: SettingKey) -> SettingValue? {
        if text.lowercased() == "off" { return key.off }
        switch key.kind {
        case .count(let range, let unit):
            let digits = unit.map { text.lowercased().hasSuffix(String($0)) } ?? false ? text.dropLast() : text[...]
            guard let count = Int(digits), range.contains(count) else { return nil }
            return .count(count)
        case .bytes: return ByteCountText.bytes(text).map(SettingValue.bytes)
        case .durationOrAutomatic where text.lowercased() == "auto": return .automatic
        case .duration, .durationOrAutomatic: return DurationText.duration(text).map(SettingValue.duration)
        case .words: return TitleWords(text).map(SettingValue.words)
        case .number(let range):
            guard let number = Double(text), range.contains(number) else { return nil }
            return .number((number * 100).rounded() / 100)
        case .loudness(let range):
            guard let number = Double(text).map({ -abs($0) }), range.contains(number) else { return nil }
            return .number((number * 100).rounded() / 100)
        case .search:
            let isSearch = WebURL(text).isAbsolute && ["http", "https"].contains(WebURL(text).scheme)
            return isSearch && text.contains("{words}") ? .search(text) : nil
        case .choice(let words): return words.contains(text.lowercased()) ? .choice(text.lowercased()) : nil
        }
    }
}

extension SettingKey {
    /// The value that `off` stands for; `nil` if the setting cannot be off.
    fileprivate var off: SettingValue? {
        switch (standard, kind) {
        case (.off, _), (_, .choice): .off
        case (_, .count(let range, _)) where range.contains(0): .count(0)
        case (_, .duration), (_, .durationOrAutomatic): .duration(.zero)
        default: nil
        }
    }

    /// A description of the accepted values, for messages.
    public var form: String {
        switch kind {
        case .choice(["on"]): "on or off"
        case .choice, .loudness: kind.form
        default: off == nil ? kind.form : kind.form + ", or off"
        }
    }
}

extension SettingValue.Kind {
    /// A description of the accepted form.
    fileprivate var form: String {
        switch self {
        case .count(let range, nil): "a whole number, \(range.lowerBound) to \(range.upperBound)"
        case .count(let range, "h"?): "a whole number of hours, \(range.lowerBound) to \(range.upperBound)"
        case .count(let range, _): "a whole number of days, \(range.lowerBound) to \(range.upperBound)"
        case .bytes: "a size like 500MB, 10GB or 1.5GiB"
        case .duration: "a time like 90s, 10m, 1h30m or 45:00"
        case .durationOrAutomatic: "a time like 10s, auto (which depends on the time since you stopped)"
        case .number(let range): "a number, \(range.lowerBound) to \(range.upperBound)"
        case .loudness: "off, or a number of LUFS, -23 to -14; most podcasts have about -16"
        case .choice(let words): "\(words.joined(separator: ", ")) or off"
        case .search: "an http or https URL that contains {words}"
        case .words: "words like \"news talk -repeat\""
        }
    }
}
