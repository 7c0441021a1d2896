// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc
import Media
import Testing

@testable import HTTPTransfer

@Suite("TransferError")
struct TransferErrorTests {
    private static let url = RedactedURL("https://me:secret@a.example/e.mp3?secret")

    @Test(
        "libcurl's codes become errors that a caller can act on",
        arguments: [
            (CurlFailure(code: .CURLE_COULDNT_RESOLVE_HOST, url: url), .unknownHost("a.example")),
            (
                CurlFailure(code: .CURLE_COULDNT_CONNECT, errorNumber: Int(ENETUNREACH), url: url),
                .cannotConnect(host: "a.example", reason: "network is unreachable")
            ),
            (
                CurlFailure(code: .CURLE_COULDNT_RESOLVE_PROXY, text: "no p", url: url),
                .cannotConnect(host: "a.example", reason: "cannot use the proxy: no p")
            ),
            (
                CurlFailure(code: .CURLE_SSL_CONNECT_ERROR, errorNumber: Int(ECONNRESET), url: url),
                .cannotConnect(host: "a.example", reason: "connection reset by peer")
            ),
            (
                CurlFailure(code: .CURLE_PEER_FAILED_VERIFICATION, text: "expired", url: url),
                .tls("a.example: expired")
            ),
            (
                CurlFailure(code: .CURLE_UNSUPPORTED_PROTOCOL, text: "HTTP/0.9", url: url),
                .protocolError("no HTTP header, as from an old radio server (ICY), which Earshot cannot play")
            ),
            (
                CurlFailure(code: .CURLE_UNSUPPORTED_PROTOCOL, url: RedactedURL("GOPHER://x")),
                .forbiddenScheme("gopher")
            ),
            (
                CurlFailure(code: .CURLE_HTTP2_STREAM, text: "stream 1", url: url, received: 5),
                .connectionLost(received: 5, reason: "stream 1")
            ),
            (CurlFailure(code: .CURLE_PARTIAL_FILE, url: url, received: 5), .closedEarly(received: 5)),
            (CurlFailure(code: .CURLE_OUT_OF_MEMORY, url: url, stage: .waiting), .headersTooLarge),
            (CurlFailure(code: .CURLE_OUT_OF_MEMORY, url: url), .protocolError("Out of memory")),
            (CurlFailure(code: .CURLE_URL_MALFORMAT, url: url), .badURL("https://a.example/e.mp3")),
        ] as [(CurlFailure, TransferError)])
    func codes(failure: CurlFailure, error: TransferError) {
        #expect(TransferError(failure) == error)
    }

    @Test(
        "Each error has a kind and a message, and is transient or permanent",
        arguments: [
            (.unknownHost("a"), true, MediaFailure(.unknownHost, "the host name \"a\" is unknown")),
            (.cannotConnect(host: "a", reason: "r"), true, MediaFailure(.unavailable, "cannot connect to a: r")),
            (.timedOut(.connecting), true, MediaFailure(.unavailable, "timeout while connecting to the server")),
            (.timedOut(.waiting), true, MediaFailure(.unavailable, "the server does not answer")),
            (.timedOut(.receiving), true, MediaFailure(.unavailable, "the server stopped sending")),
            (.tls("a: r"), false, MediaFailure(.badProtocol, "cannot establish a secure connection to a: r")),
            (.tooManyRedirects, false, MediaFailure(.badProtocol, "the server redirects too often")),
            (
                .forbiddenScheme("ftp"), false,
                MediaFailure(.badProtocol, "unsupported URL scheme \"ftp\": use http or https")
            ),
            (
                .connectionLost(received: 7, reason: "r"), true,
                MediaFailure(.unavailable, "the connection was interrupted after 7 bytes: r")
            ),
            (
                .closedEarly(received: 7), true,
                MediaFailure(
                    .unavailable, "the connection was interrupted after 7 bytes: the server closed it too early")
            ),
            (
                .redirectWithoutLocation, false,
                MediaFailure(.badProtocol, "the server sent a redirect without a target")
            ),
            (
                .insecureRedirect(host: "a"), false,
                MediaFailure(
                    .badProtocol,
                    "the server redirects from https to http at a; Earshot does not send a password there")
            ),
            (
                .privateAddress(host: "a"), false,
                MediaFailure(
                    .forbidden, "a server on the internet points to a on your own network: refused")
            ),
            (.bodyTooLong(limit: 5), false, MediaFailure(.badData, "the server sent more than 5 bytes")),
            (
                .bodyExpandsTooMuch(factor: 5), false,
                MediaFailure(.badData, "the decompressed response is more than 5 times as large as the data sent")
            ),
            (.headersTooLarge, false, MediaFailure(.badProtocol, "the server's response header is too large")),
            (.protocolError("r"), false, MediaFailure(.badProtocol, "the server sent an invalid response: r")),
            (.badURL("x"), false, MediaFailure(.badData, "\"x\" is not a valid URL")),
        ] as [(TransferError, Bool, MediaFailure)])
    func phrases(error: TransferError, isTransient: Bool, failure: MediaFailure) {
        #expect(error.isTransient == isTransient)
        #expect(error.mediaFailure == failure)
    }
}
