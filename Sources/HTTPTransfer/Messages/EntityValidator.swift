// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A proof that two responses carry the same bytes. Source: RFC 9110 sections 8.8 and 13.1.5.
public enum EntityValidator: Sendable, Hashable {
    /// A strong entity tag with its quotes.
    case strongETag(String)
    /// The text of Last-Modified as sent.
    case lastModified(String)

    /// The text for If-Range.
    public var headerText: String {
        switch self {
        case .strongETag(let text), .lastModified(let text): text
        }
    }

    /// Parses the text of `headerText`; `nil` for a weak tag or any other text.
    public init?(headerText text: String) {
        if Self.isStrongTag(text) {
            self = .strongETag(text)
        } else if UTCTime(httpDate: text) != nil {
            self = .lastModified(text)
        } else {
            return nil
        }
    }

    /// Creates the strongest validator of a response. If Last-Modified is not at least a second before Date, another
    /// change could have followed in the same second, so the value proves nothing (RFC 9110 section 8.8.2.2).
    init?(fields: HeaderFields) {
        if let tag = fields["etag"], Self.isStrongTag(tag) {
            self = .strongETag(tag)
            return
        }
        guard let text = fields["last-modified"], let modified = UTCTime(httpDate: text) else { return nil }
        if let date = fields["date"].flatMap(UTCTime.init(httpDate:)), date <= modified { return nil }
        self = .lastModified(text)
    }

    private static func isStrongTag(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count >= 2 && bytes.first == 0x22 && bytes.last == 0x22
            && bytes.dropFirst().dropLast().allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x7F }
    }
}
