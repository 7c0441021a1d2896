// SPDX-License-Identifier: GPL-3.0-or-later
import FoundationEssentials
import Media

/// A list of texts as a JSON array, stored in one column or line.
enum JSONList {
    static func text(_ strings: [String]) -> String {
        var json = JSONWriter()
        json.array { json in
            for string in strings { json.string(string) }
        }
        return json.text
    }

    /// Parses an array that `text` wrote; returns an empty list for anything else.
    static func strings(_ text: String) -> [String] {
        do { return try JSONDecoder().decode([String].self, from: Data(text.utf8)) } catch { return [] }
    }
}
