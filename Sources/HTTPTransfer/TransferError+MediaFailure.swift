// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

extension TransferError {
    /// The error as a failure for the listener.
    public var mediaFailure: MediaFailure {
        switch self {
        case .unknownHost(let host): MediaFailure(.unknownHost, "the host name \"\(host)\" is unknown")
        case .cannotConnect(let host, let reason): MediaFailure(.unavailable, "cannot connect to \(host): \(reason)")
        case .timedOut(let stage): MediaFailure(.unavailable, stage.complaint)
        case .tls(let detail): MediaFailure(.badProtocol, "cannot establish a secure connection to \(detail)")
        case .tooManyRedirects: MediaFailure(.badProtocol, "the server redirects too often")
        case .redirectWithoutLocation: MediaFailure(.badProtocol, "the server sent a redirect without a target")
        case .insecureRedirect(let host):
            MediaFailure(
                .badProtocol,
                "the server redirects from https to http at \(host); Earshot does not send a password there")
        case .privateAddress(let host):
            MediaFailure(.forbidden, "a server on the internet points to \(host) on your own network: refused")
        case .forbiddenScheme(let scheme):
            MediaFailure(.badProtocol, "unsupported URL scheme \"\(scheme)\": use http or https")
        case .connectionLost(let received, let reason):
            MediaFailure(.unavailable, "the connection was interrupted after \(received) bytes: \(reason)")
        case .closedEarly(let received):
            MediaFailure(
                .unavailable, "the connection was interrupted after \(received) bytes: the server closed it too early")
        case .headersTooLarge: MediaFailure(.badProtocol, "the server's response header is too large")
        case .bodyTooLong(let limit): MediaFailure(.badData, "the server sent more than \(limit) bytes")
        case .bodyExpandsTooMuch(let factor):
            MediaFailure(.badData, "the decompressed response is more than \(factor) times as large as the data sent")
        case .protocolError(let reason): MediaFailure(.badProtocol, "the server sent an invalid response: \(reason)")
        case .badURL(let url): MediaFailure(.badData, "\"\(url)\" is not a valid URL")
        }
    }
}

extension TransferError.Stage {
    fileprivate var complaint: String {
        switch self {
        case .connecting: "timeout while connecting to the server"
        case .waiting: "the server does not answer"
        case .receiving: "the server stopped sending"
        }
    }
}
