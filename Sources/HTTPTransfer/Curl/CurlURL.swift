// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// Owns a handle of libcurl's URL parser.
struct CurlURL: ~Copyable {
    private let raw: OpaquePointer

    init?() {
        guard let raw = curl_url() else { return nil }
        self.raw = raw
    }

    deinit {
        curl_url_cleanup(raw)
    }

    /// Sets a part of the URL, or removes it if `text` is `nil`. A whole URL may be relative to the current one.
    ///
    /// - Returns: false if the part is malformed.
    func set(_ part: CURLUPart, _ text: String?) -> Bool {
        curl_url_set(raw, part, text, 0) == CURLUE_OK
    }

    /// Returns a part of the URL, or `nil` if it is missing or its text is not allowed.
    func get(_ part: CURLUPart, _ flags: Int32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(raw, part, &text, CUnsignedInt(flags)) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}
