// SPDX-License-Identifier: GPL-3.0-or-later

/// Status and fields of the final response, after redirects.
public struct ResponseHead: Sendable, Equatable {
    public var status: Int
    public var fields: HeaderFields
    /// The address that answered, without user name and password.
    public var finalURL: String
    /// Who answered; `nil` where a proxy stands between and the address has a name.
    public var source: AddressClass?
    /// Whether the request carried a password.
    public var credentials: CredentialUse
    /// Where the address that was asked for has moved for good, without user name and password: as far as the redirects
    /// led that came first and were permanent (RFC 9110 sections 15.4.2 and 15.4.9). `nil` where the first was not.
    public var permanentURL: String?
    /// Whether the protocol marks the end of a body, so that one that ends without an error is whole: HTTP/2 and HTTP/3
    /// (RFC 9113 section 8.1).
    public var marksEnd: Bool
    /// Whether TLS has proved every server on the way, so that nobody else can have said what they say.
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
    /// `nil` where absent or malformed.
    public var contentRange: ContentRange? { fields["content-range"].flatMap(ContentRange.init(headerText:)) }

    /// Bytes of the body as declared; `nil` where unknown, contradictory, or overruled by a transfer coding
    /// (RFC 9112 section 6.3). With a content coding it counts the encoded bytes.
    public var contentLength: Int64? {
        guard fields["transfer-encoding"] == nil else { return nil }
        let values = Set(fields.all("content-length"))
        guard values.count == 1, let value = values.first else { return nil }
        return Int64(httpDigits: value)
    }

    /// Whether it declares two lengths that differ: where its body ends is then anybody's guess, and the two ends of
    /// a connection may guess differently (RFC 9112 section 6.3).
    var hasTwoLengths: Bool {
        let values = fields.all("content-length").flatMap { $0.split(separator: ",").map(HeaderFields.trimmed) }
        return fields["transfer-encoding"] == nil && Set(values).count > 1
    }

    /// The ETag field as sent, weak or strong.
    public var etag: String? { fields["etag"] }

    public var lastModified: String? { fields["last-modified"] }

    /// What If-Range may carry: a strong ETag, else Last-Modified where it counts as strong, else nothing.
    public var validator: EntityValidator? { EntityValidator(fields: fields) }

    /// The media type in lower case without parameters: "audio/mpeg".
    public var contentType: String? {
        fields["content-type"].map { text in
            let type = text.prefix { $0 != ";" }
            return HeaderFields.trimmed(type).lowercased()
        }
    }

    /// Codings other than identity that are still on the body, in lower case; `nil` where there are none.
    public var contentCoding: String? {
        guard let coding = fields["content-encoding"]?.lowercased(), coding != "identity", !coding.isEmpty else {
            return nil
        }
        return coding
    }

    /// Whether the server says it honours byte ranges; `nil` where it says nothing (RFC 9110 section 14.3).
    public var acceptsRanges: Bool? {
        fields["accept-ranges"].map { $0.lowercased() == "bytes" }
    }

    public var retryAfter: RetryAfter? { fields["retry-after"].flatMap(RetryAfter.init(headerText:)) }

    /// How long the server asks to wait; a date counts from the response's own Date field, so that the two clocks
    /// need not agree. An hour at most; `nil` where nothing usable is said.
    public var retryDelay: Duration? {
        let delay = retryAfter?.delay(since: fields["date"].flatMap(HTTPDate.init(headerText:)))
        return delay.map { min($0, .seconds(3600)) }
    }
}
