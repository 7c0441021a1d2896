// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media

/// The details of a transfer that libcurl ended with an error.
struct CurlFailure {
    var code: CurlCode
    /// libcurl's own description; may be empty.
    var text = ""
    /// `errno` of the system call that failed, or 0.
    var errorNumber = 0
    /// The URL in use at the time, after redirects.
    var url: RedactedURL
    var stage = TransferError.Stage.connecting
    var received: Int64 = 0

    var reason: String { text.isEmpty ? code.description : text }
    var systemReason: String {
        errorNumber == 0 ? reason : SystemError.phrase(of: CInt(clamping: errorNumber))
    }
}

extension TransferError {
    init(_ failure: CurlFailure) {
        let host = failure.url.host
        switch failure.code {
        case .CURLE_COULDNT_RESOLVE_HOST: self = .unknownHost(host)
        case .CURLE_COULDNT_CONNECT: self = .cannotConnect(host: host, reason: failure.systemReason)
        case .CURLE_COULDNT_RESOLVE_PROXY, .CURLE_PROXY:
            self = .cannotConnect(host: host, reason: "cannot use the proxy: \(failure.reason)")
        case .CURLE_OPERATION_TIMEDOUT: self = .timedOut(failure.stage)
        case .CURLE_URL_MALFORMAT: self = .badURL(failure.url.description)
        case .CURLE_SSL_CONNECT_ERROR, .CURLE_PEER_FAILED_VERIFICATION, .CURLE_SSL_CACERT_BADFILE,
            .CURLE_SSL_CERTPROBLEM, .CURLE_SSL_CIPHER, .CURLE_SSL_ISSUER_ERROR:
            self = Self.secureConnectionFailed(failure)
        case .CURLE_UNSUPPORTED_PROTOCOL: self = Self.unsupported(failure)
        case .CURLE_PARTIAL_FILE: self = .closedEarly(received: failure.received)
        case .CURLE_GOT_NOTHING, .CURLE_RECV_ERROR, .CURLE_SEND_ERROR, .CURLE_HTTP2, .CURLE_HTTP2_STREAM:
            self = .connectionLost(received: failure.received, reason: Self.breakReason(failure))
        // libcurl reports its own limit, 100 KB for one line, as a lack of memory.
        case .CURLE_OUT_OF_MEMORY where failure.stage == .waiting: self = .headersTooLarge
        default: self = .protocolError(failure.reason)
        }
    }

    /// Returns the error for a failed handshake. A handshake interrupted by the network is not a failure of trust.
    private static func secureConnectionFailed(_ failure: CurlFailure) -> TransferError {
        if failure.code == .CURLE_SSL_CONNECT_ERROR, failure.errorNumber == Int(ECONNRESET) {
            return .cannotConnect(host: failure.url.host, reason: failure.systemReason)
        }
        return .tls("\(failure.url.host): \(failure.reason)")
    }

    /// Returns the error for a code that libcurl uses both for the scheme of a URL and for a response without an HTTP
    /// header, which it takes for HTTP/0.9. Old radio servers answer "ICY 200 OK".
    private static func unsupported(_ failure: CurlFailure) -> TransferError {
        ["http", "https"].contains(failure.url.scheme)
            ? .protocolError("no HTTP header, as from an old radio server (ICY), which Earshot cannot play")
            : .forbiddenScheme(failure.url.scheme)
    }

    private static func breakReason(_ failure: CurlFailure) -> String {
        switch failure.code {
        case .CURLE_GOT_NOTHING: "the server closed it without a response"
        default: failure.systemReason
        }
    }
}
