// SPDX-License-Identifier: GPL-3.0-or-later

extension FaultScript {
    /// Returns a 304 answer that repeats the validator.
    public static func notModified(etag: String? = nil) -> FaultScript {
        FaultScript(contentType: nil).with { ($0.status, $0.etag) = (304, etag) }
    }

    /// Returns the answer to a request that may be conditional (RFC 9110 section 13.2.2): compares the ETag weakly,
    /// and the time only if the request has no If-None-Match field.
    public func honouringConditions(_ request: FaultRequest) -> FaultScript {
        let isKnown =
            if let tag = request.fields["if-none-match"] {
                Self.opaque(tag) == etag.map(Self.opaque)
            } else {
                lastModified != nil && request.fields["if-modified-since"] == lastModified
            }
        return isKnown ? .notModified(etag: etag) : self
    }

    private static func opaque(_ tag: String) -> Substring {
        tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]
    }
}
