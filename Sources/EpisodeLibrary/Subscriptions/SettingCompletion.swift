// SPDX-License-Identifier: GPL-3.0-or-later

extension SettingKey {
    /// The names of settings that begin with the text, with their meanings, for the completion of a shell.
    public static func candidates(beginningWith text: String) -> [NameCompletion.Candidate] {
        allCases.filter { $0.rawValue.hasPrefix(text) }.map { .init($0.rawValue, $0.meaning) }
    }

    /// Typical values that begin with the text.
    public func values(beginningWith text: String) -> [NameCompletion.Candidate] {
        let texts = (standard == .off || !words.isEmpty ? ["off"] : []) + words + examples
        return texts.filter { $0.hasPrefix(text) }.map { value in
            .init(value, value == standard.description ? "default" : "")
        }
    }

    private var words: [String] { if case .choice(let words) = kind { words } else { [] } }

    private var examples: [String] {
        switch kind {
        case .count: ["1", "3", "10"]
        case .bytes: ["1GB", "5GB", "20GB"]
        case .duration: ["10s", "30s", "1m", "1h"]
        case .durationOrAutomatic: ["auto", "5s", "10s"]
        case .number: ["1", "1.25", "1.5", "2"]
        case .loudness: ["-16"]
        case .choice, .words, .search: []
        }
    }
}
