// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The reason why a response is useless, both now and after a retry.
public enum HTTPRejection: Error, Sendable, Equatable {
    /// A status without usable content.
    case status(Int)
    /// A 401: the request requires a password, or a different one.
    case unauthorized(CredentialUse)
    /// A web page in response to a request for audio, with its media type.
    case webPage(type: String)
    /// A content coding that the request did not offer; its byte offsets differ from those of the audio.
    case encoded(String)
    /// A 206 with another range than the requested one; the same request without Range may succeed.
    case unusableRange(String)

    /// True if a request for the whole file may succeed.
    public var mayWorkWithoutRange: Bool {
        if case .unusableRange = self { true } else { false }
    }

    /// The rejection as a failure for the listener.
    public var mediaFailure: MediaFailure {
        switch self {
        case .status(let code): MediaFailure(Self.kind(of: code), "the server answered \(HTTPStatus(code: code))")
        case .unauthorized(let use):
            MediaFailure(
                .forbidden, "the server answered \(HTTPStatus(code: 401)): \(use.complaint)",
                needsPassword: use == .none)
        case .webPage: MediaFailure(.badData, "the server sent a web page, not audio")
        case .encoded(let coding): MediaFailure(.badData, "the server sent the audio compressed (\(coding))")
        case .unusableRange(let reason): MediaFailure(.badProtocol, reason)
        }
    }

    /// Returns the kind of failure that a status means for the listener.
    static func kind(of status: Int) -> MediaFailure.Kind {
        switch status {
        case 404, 410: .missing
        case 401, 402, 403, 407, 451: .forbidden
        case 408, 425, 429: .temporary
        case 500...: .unavailable
        default: .badProtocol
        }
    }
}

extension CredentialUse {
    /// The problem with the credentials after a 401.
    fileprivate var complaint: String {
        switch self {
        case .none: "it needs a password"
        case .sent: "the password was refused"
        case .withheld: "it needs a password, and the given password is for the server that redirected here"
        }
    }
}
