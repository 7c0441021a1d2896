// SPDX-License-Identifier: GPL-3.0-or-later

/// The validators of a stored response, which let the server answer 304 without a body if the content is unchanged.
/// Source: RFC 9110 sections 13.1.2 and 13.1.3.
public struct RequestConditions: Sendable, Hashable {
    /// The tag as sent by the server, weak or strong: a weak one suffices here.
    public var etag: String?
    /// The date as sent by the server; a reformatted date would not match on a server that compares the text.
    public var lastModified: String?

    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Creates the conditions for a stored response with this head.
    public init(of head: ResponseHead) {
        self.init(etag: head.etag, lastModified: head.lastModified)
    }
}

extension RequestConditions {
    /// The fields to send, without values that would break a line.
    var fields: [(name: String, value: String)] {
        [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap { name, value in
            value.flatMap { Self.isSendable($0) ? (name, $0) : nil }
        }
    }

    private static func isSendable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
