// SPDX-License-Identifier: GPL-3.0-or-later

extension FaultScript {
    /// A 304, as a server sends it that names the version again.
    public static func notModified(etag: String? = nil) -> FaultScript {
        FaultScript(contentType: nil).with { ($0.status, $0.etag) = (304, etag) }
    }

    /// The answer to a request that may hold conditions (RFC 9110 section 13.2.2): the ETag counts, by weak comparison,
    /// and the time only where none was sent.
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
