// SPDX-License-Identifier: GPL-3.0-or-later
import Podcasts

/// Dates as feeds write them: RFC 822 and what publishers make of it, and ISO 8601.
///
/// Fields are recognised by what they look like, not by where they stand. No zone or an unknown one is UTC.
/// Source: RFC 822, 5, with RFC 2822's four-digit years; RFC 3339; RSS 2.0 `<pubDate>`.
enum RFC822Date {
    /// - Returns: nil for nonsense, never 1970 or now.
    static func parse(_ text: some Collection<UInt8>) -> UTCTime? {
        let bytes = Array(ASCII.trimmed(Array(text)))
        guard bytes.count <= 100 else { return nil }
        var fields = DateFields()
        let isComplete = fields.isISO(bytes) ? fields.readISO(bytes) : fields.readWords(bytes)
        return isComplete ? fields.time : nil
    }
}
