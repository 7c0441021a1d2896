// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// Owns one `CURL` easy handle and the memory it uses. The handle must leave its multi handle before it is destroyed.
struct EasyHandle: ~Copyable {
    typealias Callback = @convention(c) (UnsafeMutablePointer<CChar>?, Int, Int, UnsafeMutableRawPointer?) -> Int

    let raw: UnsafeMutableRawPointer
    /// libcurl writes the details of a failure here.
    private let errorText: UnsafeMutablePointer<CChar>
    private var extraFields: UnsafeMutablePointer<curl_slist>?

    init() throws(CurlCode) {
        guard let handle = curl_easy_init() else { throw .CURLE_OUT_OF_MEMORY }
        let text = UnsafeMutablePointer<CChar>.allocate(capacity: Int(CURL_ERROR_SIZE))
        text.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        // If this fails, only the details of failures are missing.
        _ = earshot_setopt_pointer(handle, CURLOPT_ERRORBUFFER, text)
        raw = handle
        errorText = text
        extraFields = nil
    }

    deinit {
        curl_easy_cleanup(raw)
        curl_slist_free_all(extraFields)
        errorText.deallocate()
    }

    func set(_ option: CURLoption, _ value: Int) throws(CurlCode) {
        try CurlCode.check(earshot_setopt_long(raw, option, value))
    }

    /// Sets an option to a text, which libcurl copies.
    func set(_ option: CURLoption, _ value: String) throws(CurlCode) {
        try CurlCode.check(earshot_setopt_string(raw, option, value))
    }

    func set(_ option: CURLoption, _ callback: Callback, context: CURLoption, _ pointer: UnsafeMutableRawPointer)
        throws(CurlCode)
    {
        try CurlCode.check(earshot_setopt_callback(raw, option, callback))
        try CurlCode.check(earshot_setopt_pointer(raw, context, pointer))
    }

    /// Sets the connection callbacks. libcurl calls `opening` for a socket for each address it tries, and `sending`
    /// before each request, also on a reused connection.
    func set(
        opening: curl_opensocket_callback, sending: curl_prereq_callback, context: UnsafeMutableRawPointer
    ) throws(CurlCode) {
        try CurlCode.check(earshot_setopt_opensocket(raw, CURLOPT_OPENSOCKETFUNCTION, opening))
        try CurlCode.check(earshot_setopt_pointer(raw, CURLOPT_OPENSOCKETDATA, context))
        try CurlCode.check(earshot_setopt_prereq(raw, CURLOPT_PREREQFUNCTION, sending))
        try CurlCode.check(earshot_setopt_pointer(raw, CURLOPT_PREREQDATA, context))
    }

    /// Adds a field to the request: "Name: value".
    mutating func addField(_ line: String) throws(CurlCode) {
        guard let list = curl_slist_append(extraFields, line) else { throw .CURLE_OUT_OF_MEMORY }
        extraFields = list
        try CurlCode.check(earshot_setopt_list(raw, CURLOPT_HTTPHEADER, list))
    }

    /// Continues a paused transfer. libcurl calls the callback of the body with the bytes that it has kept.
    func resume() throws(CurlCode) {
        try CurlCode.check(curl_easy_pause(raw, CURLPAUSE_CONT))
    }

    /// libcurl's description of the last failure; empty if libcurl has none.
    var failureText: String { String(cString: errorText) }

    /// Returns a number, or `nil` if libcurl does not provide it.
    func number(_ info: CURLINFO) -> Int? {
        var value = 0
        return earshot_getinfo_long(raw, info, &value) == CURLE_OK ? value : nil
    }

    func offset(_ info: CURLINFO) -> Int64? {
        var value: curl_off_t = 0
        return earshot_getinfo_offset(raw, info, &value) == CURLE_OK ? Int64(value) : nil
    }
}
