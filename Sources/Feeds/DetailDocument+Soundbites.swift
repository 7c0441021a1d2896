// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The soundbites, which the library also reads.
extension DetailDocument {
    /// Returns the soundbites in the details of an episode, in the order of the feed.
    public static func soundbites(in details: String) throws(JSONError) -> [ParsedSoundbite] {
        // Few episodes have any; searching is faster than parsing.
        guard details.contains("\"soundbites\"") else { return [] }
        return try JSONValue(parsing: details)["soundbites"]?.elements?.compactMap(soundbite) ?? []
    }

    private static func soundbite(_ json: JSONValue) -> ParsedSoundbite? {
        guard let start = json["start"]?.duration, let duration = json["duration"]?.duration else { return nil }
        return ParsedSoundbite(start: start, duration: duration, title: json["title"]?.string)
    }

    static func write(_ soundbite: ParsedSoundbite, to json: inout JSONWriter) {
        json.field("start", soundbite.start)
        json.field("duration", soundbite.duration)
        json.field("title", soundbite.title)
    }
}
