// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// Why a response is of no use, now and at the next try.
public enum HTTPRejection: Error, Sendable, Equatable {
    /// A status that promises nothing.
    case status(Int)
    /// A 401: a password is needed, or another one.
    case unauthorized(CredentialUse)
    /// A page where audio was asked for; carries the media type.
    case webPage(type: String)
    /// A content coding nobody offered; its byte offsets are not those of the audio.
    case encoded(String)
    /// A 206 that is not the range asked for; the same request without Range may work.
    case unusableRange(String)

    /// Whether asking for the whole may help.
    public var mayWorkWithoutRange: Bool {
        if case .unusableRange = self { true } else { false }
    }

    public var mediaFailure: MediaFailure {
        switch self {
        case .status(let code): MediaFailure(Self.kind(of: code), "the server answered \(HTTPStatus(code: code))")
        case .unauthorized(let use):
            MediaFailure(.forbidden, "the server answered \(HTTPStatus(code: 401)): \(use.complaint)")
        case .webPage: MediaFailure(.badData, "the server sent a web page, not audio")
        case .encoded(let coding): MediaFailure(.badData, "the server sent the audio compressed (\(coding))")
        case .unusableRange(let reason): MediaFailure(.badProtocol, reason)
        }
    }

    /// What the listener can conclude from a status.
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
    /// What is wrong with it, after a 401.
    fileprivate var complaint: String {
        switch self {
        case .none: "it needs a password"
        case .sent: "the password was refused"
        case .withheld: "it needs a password, and the one given is for the server that redirected here"
        }
    }
}
