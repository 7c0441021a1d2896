// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

extension TransferError {
    /// The error as a failure for the listener.
    public var mediaFailure: MediaFailure {
        switch self {
        case .unknownHost(let host): MediaFailure(.unknownHost, "the host name \(host) is unknown")
        case .cannotConnect(let host, let reason): MediaFailure(.unavailable, "no connection to \(host): \(reason)")
        case .timedOut(let stage): MediaFailure(.unavailable, stage.complaint)
        case .tls(let detail): MediaFailure(.badProtocol, "no secure connection to \(detail)")
        case .tooManyRedirects: MediaFailure(.badProtocol, "the server redirects too often")
        case .redirectWithoutLocation: MediaFailure(.badProtocol, "the server redirects without saying where")
        case .insecureRedirect(let host):
            MediaFailure(
                .badProtocol,
                "the server redirects from https to plain http at \(host), which is not followed with a password")
        case .privateAddress(let host):
            MediaFailure(.forbidden, "a server on the internet must not lead to \(host), which is on your own network")
        case .forbiddenScheme(let scheme):
            MediaFailure(.badProtocol, "only http and https addresses are fetched, not \(scheme)")
        case .connectionLost(let received, let reason):
            MediaFailure(.unavailable, "the connection broke off after \(received) bytes: \(reason)")
        case .headersTooLarge: MediaFailure(.badProtocol, "the server's response header is too large")
        case .bodyTooLong(let limit): MediaFailure(.badData, "the server sent more than \(limit) bytes")
        case .bodyExpandsTooMuch(let factor):
            MediaFailure(.badData, "the server's answer swells to more than \(factor) times what was sent")
        case .protocolError(let reason): MediaFailure(.badProtocol, "the server's answer makes no sense: \(reason)")
        case .badURL(let url): MediaFailure(.badData, "\(url) is not a valid address")
        }
    }
}

extension TransferError.Stage {
    fileprivate var complaint: String {
        switch self {
        case .connecting: "the server cannot be reached in time"
        case .waiting: "the server does not answer"
        case .receiving: "the server stopped sending"
        }
    }
}
