// SPDX-License-Identifier: GPL-3.0-or-later

extension WebURL {
    /// Resolves a relative reference (RFC 3986 section 5.2.2). An absolute URL is returned unchanged.
    public func resolved(against base: WebURL) -> WebURL {
        guard scheme == nil else { return self }
        var result = self
        result.scheme = base.scheme
        guard host == nil else { return result }
        (result.userInfo, result.host, result.port) = (base.userInfo, base.host, base.port)
        result.slashes = base.slashes
        if path.isEmpty {
            result.path = base.path
            result.query = query ?? base.query
            return result
        }
        if path.utf8.first != UInt8(ascii: "/") {
            let directory = base.path.utf8.lastIndex(of: UInt8(ascii: "/")).map { base.path[...$0] } ?? "/"
            result.path = directory + path
        }
        return result.withoutDotSegments
    }

    /// The URL with a path that begins with a slash and contains no segment "." or ".." (RFC 3986 section 5.2.4).
    public var withoutDotSegments: WebURL {
        var segments: [Substring] = []
        let all = path.utf8.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in all.enumerated() {
            let isDots = segment.elementsEqual("..".utf8)
            if isDots { segments.removeLast(min(1, segments.count)) }
            if !isDots, !segment.elementsEqual(".".utf8) {
                segments.append(Substring(segment))
            } else if index == all.count - 1 {
                segments.append("")
            }
        }
        var result = self
        result.path = segments.reduce(into: "") { $0 += "/" + $1 }
        return result
    }

    /// The URL with spaces, control characters and non-ASCII characters of the path, query and fragment in
    /// percent-encoding. The host keeps them: names outside ASCII have an encoding of their own (IDNA).
    public var escaped: WebURL {
        var result = self
        result.path = PercentEncoding.encoded(path)
        result.query = query.map { PercentEncoding.encoded($0) }
        result.fragment = fragment.map { PercentEncoding.encoded($0) }
        return result
    }
}

/// Percent-encoding (RFC 3986 section 2.1).
public enum PercentEncoding {
    /// Encodes all bytes but those of visible ASCII characters. These stay, also a percent sign, unless `extra`
    /// contains them.
    public static func encoded(_ text: Substring, and extra: String = "") -> Substring {
        guard text.utf8.contains(where: { !isKept($0, extra) }) else { return text }
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isKept(byte, extra) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
            }
        }
        return Substring(decoding: bytes, as: UTF8.self)
    }

    /// Decodes each percent sign that two hexadecimal digits follow.
    public static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = text.utf8[...]
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            let isCode = byte == UInt8(ascii: "%") && digits.count == 2 && Substring(digits).allSatisfy(\.isHexDigit)
            bytes.append(isCode ? UInt8(Substring(digits), radix: 16) ?? byte : byte)
            if isCode { rest = rest.dropFirst(2) }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func isKept(_ byte: UInt8, _ extra: String) -> Bool {
        0x21...0x7E ~= byte && !extra.utf8.contains(byte)
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
