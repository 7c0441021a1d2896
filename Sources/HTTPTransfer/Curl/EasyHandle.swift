// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// Owns one `CURL` easy handle and what must outlive its use. It must have left its multi handle before it goes.
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
        // Without it only the details of a failure would be missing.
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

    /// libcurl keeps a copy of the text.
    func set(_ option: CURLoption, _ value: String) throws(CurlCode) {
        try CurlCode.check(earshot_setopt_string(raw, option, value))
    }

    func set(_ option: CURLoption, _ callback: Callback, context: CURLoption, _ pointer: UnsafeMutableRawPointer)
        throws(CurlCode)
    {
        try CurlCode.check(earshot_setopt_callback(raw, option, callback))
        try CurlCode.check(earshot_setopt_pointer(raw, context, pointer))
    }

    /// `opening` is asked for a socket for each address that is tried, `sending` before each request, also on a
    /// connection that is used again.
    func set(
        opening: curl_opensocket_callback, sending: curl_prereq_callback, context: UnsafeMutableRawPointer
    ) throws(CurlCode) {
        try CurlCode.check(earshot_setopt_opensocket(raw, CURLOPT_OPENSOCKETFUNCTION, opening))
        try CurlCode.check(earshot_setopt_pointer(raw, CURLOPT_OPENSOCKETDATA, context))
        try CurlCode.check(earshot_setopt_prereq(raw, CURLOPT_PREREQFUNCTION, sending))
        try CurlCode.check(earshot_setopt_pointer(raw, CURLOPT_PREREQDATA, context))
    }

    /// Sends one field more with the request: "Name: value".
    mutating func addField(_ line: String) throws(CurlCode) {
        guard let list = curl_slist_append(extraFields, line) else { throw .CURLE_OUT_OF_MEMORY }
        extraFields = list
        try CurlCode.check(earshot_setopt_list(raw, CURLOPT_HTTPHEADER, list))
    }

    /// What libcurl says of the last failure; empty where it says nothing.
    var failureText: String { String(cString: errorText) }

    /// Information that libcurl refuses to give counts as absent.
    func number(_ info: CURLINFO) -> Int? {
        var value = 0
        return earshot_getinfo_long(raw, info, &value) == CURLE_OK ? value : nil
    }

    func offset(_ info: CURLINFO) -> Int64? {
        var value: curl_off_t = 0
        return earshot_getinfo_offset(raw, info, &value) == CURLE_OK ? Int64(value) : nil
    }

    func text(_ info: CURLINFO) -> String? {
        var value: UnsafePointer<CChar>?
        guard earshot_getinfo_string(raw, info, &value) == CURLE_OK, let value else { return nil }
        return String(cString: value)
    }
}
