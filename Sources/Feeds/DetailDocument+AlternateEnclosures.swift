// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The alternate enclosures, which the library also reads.
extension DetailDocument {
    /// Returns the alternate enclosures in the details of an episode, with the fields that a choice among them needs.
    public static func alternateEnclosures(in details: String) throws(JSONError) -> [ParsedAlternateEnclosure] {
        // Few episodes have any; searching is faster than parsing.
        guard details.contains("\"alternateEnclosures\"") else { return [] }
        return try JSONValue(parsing: details)["alternateEnclosures"]?.elements?.map(enclosure) ?? []
    }

    private static func enclosure(_ json: JSONValue) -> ParsedAlternateEnclosure {
        var enclosure = ParsedAlternateEnclosure()
        enclosure.sources = (json["sources"]?.elements ?? []).compactMap { source in
            source["uri"]?.string.map { ParsedAlternateEnclosure.Source(uri: $0, type: source["type"]?.string) }
        }
        (enclosure.type, enclosure.length) = (json["type"]?.string, json["length"]?.integer)
        return enclosure
    }

    static func write(_ enclosure: ParsedAlternateEnclosure, to json: inout JSONWriter) {
        json.list("sources", enclosure.sources) { source, json in
            json.field("uri", source.uri)
            json.field("type", source.type)
        }
        json.field("type", enclosure.type)
        json.field("length", enclosure.length)
        json.field("title", enclosure.title)
        json.field("language", enclosure.language)
        if enclosure.isDefault { json.field("default", true) }
        json.list("integrity", [enclosure.integrity].compactMap { $0 }) { integrity, json in
            json.field("type", integrity.type)
            json.field("value", integrity.value)
        }
    }
}
