// SPDX-License-Identifier: GPL-3.0-or-later

/// Why a transfer failed. Hosts and addresses in it carry no user name, password or query.
public enum TransferError: Error, Sendable, Equatable {
    /// How far a transfer had come.
    public enum Stage: Sendable, Equatable, CaseIterable {
        /// Name lookup, TCP and TLS.
        case connecting
        /// The request is sent, no final head has come.
        case waiting
        /// The body was on its way.
        case receiving
    }

    case unknownHost(String)
    case cannotConnect(host: String, reason: String)
    case timedOut(Stage)
    /// The handshake failed or the certificate cannot be trusted; the text names the host and what is wrong.
    case tls(String)
    /// More than ten, or a circle.
    case tooManyRedirects
    /// A redirect without an address.
    case redirectToNowhere
    /// From https to http, of a request that was given a password.
    case insecureRedirect(host: String)
    /// A public server leads to this machine or its neighbours (`AddressReach`).
    case privateAddress(host: String)
    /// The address, or one it redirects to, is neither http nor https.
    case forbiddenScheme(String)
    /// The connection ended before the response did (short body, reset, no answer at all).
    case brokenOff(received: Int64, reason: String)
    case headersTooLarge
    /// The body is longer than `HTTPRequest.longestBody`.
    case bodyTooLong(limit: Int64)
    /// The body, compressed on its way, is many times larger without that: what a decompression bomb does.
    case bodySwells(factor: Int)
    /// What came is not HTTP, or libcurl gave up for a reason of its own.
    case protocolError(String)
    case badURL(String)

    /// Whether the same request may work later. Before the first byte of an enclosure, `RetryPolicy` is stricter.
    public var isTransient: Bool {
        switch self {
        case .unknownHost, .cannotConnect, .timedOut, .brokenOff: true
        case .tls, .tooManyRedirects, .redirectToNowhere, .insecureRedirect, .privateAddress, .forbiddenScheme,
            .headersTooLarge, .bodyTooLong, .bodySwells, .protocolError, .badURL:
            false
        }
    }
}
