// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl
import Glibc
import Media

/// A URL as libcurl splits it, also for a transfer.
struct CurlURL: ~Copyable {
    private let raw: OpaquePointer

    /// Parses an absolute URL. Fails if libcurl would not request it.
    init?(_ text: String) {
        guard let raw = curl_url() else { return nil }
        // The dot segments stay, because versions differ in what they take for one.
        guard curl_url_set(raw, CURLUPART_URL, text, CUnsignedInt(CURLU_PATH_AS_IS)) == CURLUE_OK else {
            curl_url_cleanup(raw)
            return nil
        }
        self.raw = raw
    }

    deinit {
        curl_url_cleanup(raw)
    }

    var scheme: String? { part(CURLUPART_SCHEME) }
    /// A numeric address in its usual form, IPv6 in brackets and without a zone; a name as written.
    var host: String? { part(CURLUPART_HOST) }
    /// The port, or the usual one of the scheme.
    var port: Int? { part(CURLUPART_PORT, CURLU_DEFAULT_PORT).flatMap { Int($0) } }
    var path: String? { part(CURLUPART_PATH) }
    /// `nil` also for an empty query.
    var query: String? { part(CURLUPART_QUERY) }

    /// The user name and the password, as written.
    private var userInfo: String? {
        guard let user = part(CURLUPART_USER) else { return nil }
        return user + (part(CURLUPART_PASSWORD).map { ":" + $0 } ?? "")
    }

    /// The host as libcurl requests it: a name with other characters than ASCII is encoded (IDNA); `nil` if it cannot
    /// be.
    var asciiHost: String? {
        // libcurl takes the name to be in the encoding of the locale, and a program starts in the locale "C".
        guard let unicode = newlocale(LC_CTYPE_MASK, "C.UTF-8", nil) else { return nil }
        let former = uselocale(unicode)
        defer {
            uselocale(former)
            freelocale(unicode)
        }
        return part(CURLUPART_HOST, CURLU_PUNYCODE)
    }

    /// The whole URL without user name, password and fragment. The fragment is never sent to a server.
    var bareText: String? {
        guard let copy = curl_url_dup(raw) else { return nil }
        defer { curl_url_cleanup(copy) }
        for part in [CURLUPART_USER, CURLUPART_PASSWORD, CURLUPART_OPTIONS, CURLUPART_FRAGMENT] {
            guard curl_url_set(copy, part, nil, 0) == CURLUE_OK else { return nil }
        }
        return Self.part(CURLUPART_URL, of: copy)
    }

    /// Returns a part of the URL, or `nil` if it is missing or its text is not allowed.
    func part(_ part: CURLUPart, _ flags: Int32 = 0) -> String? { Self.part(part, of: raw, flags) }

    private static func part(_ part: CURLUPart, of url: OpaquePointer, _ flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(url, part, &text, CUnsignedInt(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

extension CurlURL {
    /// True if libcurl splits the URL as `url` does: what is decided about one then holds for the other.
    ///
    /// - Parameter url: the parsed URL, escaped and without dot segments.
    func agrees(with url: WebURL) -> Bool {
        scheme == url.scheme && agrees(onHost: url.host) && port == url.portNumber && Self.agree(path, url.path)
            && Self.agree(query, url.query) && userInfo == url.userInfo.map(String.init)
    }

    /// Compares the hosts. libcurl writes a numeric address in its usual form and keeps the zone of it apart.
    private func agrees(onHost written: Substring?) -> Bool {
        guard let written, let host else { return false }
        if Self.agree(host, written) { return true }
        guard let address = IPAddress(numericHost: String(written)) else { return false }
        return address == IPAddress(text: host)
    }

    /// Compares without regard to case: libcurl from 8.20.0 writes the digits of percent-encoding in upper case.
    private static func agree(_ part: String?, _ written: Substring?) -> Bool {
        (part ?? "").lowercased() == (written ?? "").lowercased()
    }
}
