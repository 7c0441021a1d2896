// SPDX-License-Identifier: GPL-3.0-or-later

/// What a request says of the answer already held, so that the server need not send the same again: then it answers
/// 304 without a body. Source: RFC 9110 sections 13.1.2 and 13.1.3.
public struct RequestConditions: Sendable, Hashable {
    /// As the server sent it, weak or strong: here a weak one is good enough.
    public var etag: String?
    /// As the server sent it; a date that was rewritten matches at no server that compares the text.
    public var lastModified: String?

    public init(etag: String? = nil, lastModified: String? = nil) {
        self.etag = etag
        self.lastModified = lastModified
    }

    /// Those for the answer with this head.
    public init(of head: ResponseHead) {
        self.init(etag: head.etag, lastModified: head.lastModified)
    }
}

extension RequestConditions {
    /// The fields to send; what would break a line is not sent.
    var fields: [(name: String, value: String)] {
        [("If-None-Match", etag), ("If-Modified-Since", lastModified)].compactMap { name, value in
            value.flatMap { Self.isSendable($0) ? (name, $0) : nil }
        }
    }

    private static func isSendable(_ text: String) -> Bool {
        !text.isEmpty && text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }
    }
}
