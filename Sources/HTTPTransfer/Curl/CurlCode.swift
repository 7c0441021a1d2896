// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// A result of libcurl's easy interface, under its C name.
struct CurlCode: RawRepresentable, Error, Equatable, CustomStringConvertible {
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    init(_ code: CURLcode) {
        rawValue = code.rawValue
    }

    var description: String { String(cString: curl_easy_strerror(CURLcode(rawValue))) }

    static func check(_ code: CURLcode) throws(CurlCode) {
        guard CurlCode(code) == .CURLE_OK else { throw CurlCode(code) }
    }
}

extension CurlCode {
    static let CURLE_OK = CurlCode(CCurl.CURLE_OK)
    static let CURLE_UNSUPPORTED_PROTOCOL = CurlCode(CCurl.CURLE_UNSUPPORTED_PROTOCOL)
    static let CURLE_URL_MALFORMAT = CurlCode(CCurl.CURLE_URL_MALFORMAT)
    static let CURLE_COULDNT_RESOLVE_PROXY = CurlCode(CCurl.CURLE_COULDNT_RESOLVE_PROXY)
    static let CURLE_COULDNT_RESOLVE_HOST = CurlCode(CCurl.CURLE_COULDNT_RESOLVE_HOST)
    static let CURLE_COULDNT_CONNECT = CurlCode(CCurl.CURLE_COULDNT_CONNECT)
    static let CURLE_HTTP2 = CurlCode(CCurl.CURLE_HTTP2)
    static let CURLE_PARTIAL_FILE = CurlCode(CCurl.CURLE_PARTIAL_FILE)
    static let CURLE_OUT_OF_MEMORY = CurlCode(CCurl.CURLE_OUT_OF_MEMORY)
    static let CURLE_OPERATION_TIMEDOUT = CurlCode(CCurl.CURLE_OPERATION_TIMEDOUT)
    static let CURLE_SSL_CONNECT_ERROR = CurlCode(CCurl.CURLE_SSL_CONNECT_ERROR)
    static let CURLE_ABORTED_BY_CALLBACK = CurlCode(CCurl.CURLE_ABORTED_BY_CALLBACK)
    static let CURLE_BAD_FUNCTION_ARGUMENT = CurlCode(CCurl.CURLE_BAD_FUNCTION_ARGUMENT)
    static let CURLE_BAD_CONTENT_ENCODING = CurlCode(CCurl.CURLE_BAD_CONTENT_ENCODING)
    static let CURLE_GOT_NOTHING = CurlCode(CCurl.CURLE_GOT_NOTHING)
    static let CURLE_SEND_ERROR = CurlCode(CCurl.CURLE_SEND_ERROR)
    static let CURLE_RECV_ERROR = CurlCode(CCurl.CURLE_RECV_ERROR)
    static let CURLE_SSL_CERTPROBLEM = CurlCode(CCurl.CURLE_SSL_CERTPROBLEM)
    static let CURLE_SSL_CIPHER = CurlCode(CCurl.CURLE_SSL_CIPHER)
    static let CURLE_PEER_FAILED_VERIFICATION = CurlCode(CCurl.CURLE_PEER_FAILED_VERIFICATION)
    static let CURLE_SSL_CACERT_BADFILE = CurlCode(CCurl.CURLE_SSL_CACERT_BADFILE)
    static let CURLE_SSL_ISSUER_ERROR = CurlCode(CCurl.CURLE_SSL_ISSUER_ERROR)
    static let CURLE_HTTP2_STREAM = CurlCode(CCurl.CURLE_HTTP2_STREAM)
    static let CURLE_PROXY = CurlCode(CCurl.CURLE_PROXY)
}
