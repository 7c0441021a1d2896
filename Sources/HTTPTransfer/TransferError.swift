// SPDX-License-Identifier: GPL-3.0-or-later

/// The reason why a transfer failed. Hosts and URLs in it contain no user name, password or query.
public enum TransferError: Error, Sendable, Equatable {
    /// The stage that a transfer had reached.
    public enum Stage: Sendable, Equatable, CaseIterable {
        /// Name lookup, TCP and TLS.
        case connecting
        /// The request was sent; the final head was not received yet.
        case waiting
        /// The body was being received.
        case receiving
    }

    case unknownHost(String)
    case cannotConnect(host: String, reason: String)
    case timedOut(Stage)
    /// The handshake failed or the certificate is not trusted; the text contains the host and the cause.
    case tls(String)
    /// More than ten redirects, or a loop.
    case tooManyRedirects
    /// A redirect without a target.
    case redirectWithoutLocation
    /// A redirect from https to http, for a request with a password.
    case insecureRedirect(host: String)
    /// A public server leads to this machine or its local network (`AddressScope`).
    case privateAddress(host: String)
    /// The URL, or the target of a redirect, is neither http nor https.
    case forbiddenScheme(String)
    /// The connection ended before the response did (reset, no response).
    case connectionLost(received: Int64, reason: String)
    /// The server closed the connection in the middle of the body, without an error of the network.
    case closedEarly(received: Int64)
    case headersTooLarge
    /// The body is longer than `HTTPRequest.longestBody`.
    case bodyTooLong(limit: Int64)
    /// The decoded body is many times larger than the compressed one, as in a decompression bomb.
    case bodyExpandsTooMuch(factor: Int)
    /// The response is not HTTP, or libcurl failed for another reason.
    case protocolError(String)
    case badURL(String)

    /// True if the same request may succeed later. Before the first byte of an enclosure, `RetryPolicy` is stricter.
    public var isTransient: Bool {
        switch self {
        case .unknownHost, .cannotConnect, .timedOut, .connectionLost, .closedEarly: true
        case .tls, .tooManyRedirects, .redirectWithoutLocation, .insecureRedirect, .privateAddress, .forbiddenScheme,
            .headersTooLarge, .bodyTooLong, .bodyExpandsTooMuch, .protocolError, .badURL:
            false
        }
    }
}
