// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The status and fields of the final response, after redirects.
public struct ResponseHead: Sendable, Equatable {
    public var status: Int
    public var fields: HeaderFields
    /// The URL that answered, without user name and password.
    public var finalURL: String
    /// The class of the server's address; `nil` for a named host behind a proxy.
    public var source: AddressClass?
    /// The use of a password in the request.
    public var credentials: CredentialUse
    /// The new URL of a permanently moved resource, without user name and password: the target of the leading
    /// permanent redirects (RFC 9110 sections 15.4.2 and 15.4.9). `nil` if the first redirect was not permanent.
    public var permanentURL: String?
    /// True if the protocol marks the end of a body, so that a body that ends without an error is complete: HTTP/2
    /// and HTTP/3 (RFC 9113 section 8.1).
    public var marksEnd: Bool
    /// True if TLS has authenticated every server of the chain, so that the response cannot be forged.
    public var isProven: Bool

    public init(
        status: Int, fields: HeaderFields, finalURL: String, source: AddressClass? = nil,
        credentials: CredentialUse = .none, permanentURL: String? = nil, marksEnd: Bool = false,
        isProven: Bool = false
    ) {
        self.status = status
        self.fields = fields
        self.finalURL = finalURL
        self.source = source
        self.credentials = credentials
        self.permanentURL = permanentURL
        self.marksEnd = marksEnd
        self.isProven = isProven
    }
}

extension ResponseHead {
    /// The parsed Content-Range; `nil` if absent or malformed.
    public var contentRange: ContentRange? { fields["content-range"].flatMap(ContentRange.init(headerText:)) }

    /// The declared length of the body in bytes; `nil` if unknown, contradictory, or overridden by a transfer coding
    /// (RFC 9112 section 6.3). With a content coding it counts the encoded bytes.
    public var contentLength: Int64? {
        guard fields["transfer-encoding"] == nil else { return nil }
        let values = Set(fields.all("content-length"))
        guard values.count == 1, let value = values.first else { return nil }
        return Int64(httpDigits: value)
    }

    /// True if the head declares two different lengths. The end of the body is then ambiguous, and the two ends of a
    /// connection may interpret it differently (RFC 9112 section 6.3).
    var hasTwoLengths: Bool {
        let values = fields.all("content-length").flatMap { $0.split(separator: ",").map(HeaderFields.trimmed) }
        return fields["transfer-encoding"] == nil && Set(values).count > 1
    }

    /// The ETag field as sent, weak or strong.
    public var etag: String? { fields["etag"] }

    /// The Last-Modified field as sent.
    public var lastModified: String? { fields["last-modified"] }

    /// The validator for If-Range: a strong ETag, or a Last-Modified that counts as strong; otherwise `nil`.
    public var validator: EntityValidator? { EntityValidator(fields: fields) }

    /// The media type in lower case without parameters: "audio/mpeg".
    public var contentType: String? {
        fields["content-type"].map { text in
            let type = text.prefix { $0 != ";" }
            return HeaderFields.trimmed(type).lowercased()
        }
    }

    /// The codings of the body other than identity, in lower case; `nil` if the body is not encoded.
    public var contentCoding: String? { fields.contentCoding }

    /// The parsed Retry-After field; `nil` if absent or malformed.
    public var retryAfter: RetryAfter? { fields["retry-after"].flatMap(RetryAfter.init(headerText:)) }

    /// The delay that the server requests, at most an hour. A date is relative to the response's own Date field, so
    /// that the two clocks need not agree. `nil` if the response has no usable value.
    public var retryDelay: Duration? {
        let delay = retryAfter?.delay(since: fields["date"].flatMap(UTCTime.init(httpDate:)))
        return delay.map { min($0, .seconds(3600)) }
    }
}
