// SPDX-License-Identifier: GPL-3.0-or-later

/// A failure to fetch or play something, in terms a listener can act on.
public struct MediaFailure: Error, Sendable, Equatable {
    /// The kind of failure; it determines the exit status.
    public enum Kind: Sendable, Equatable, CaseIterable {
        /// The named thing does not exist (404, 410, no such file, no such episode).
        case missing
        /// The name has several matches.
        case ambiguous
        /// The host's name is unknown.
        case unknownHost
        /// The server does not answer or reports an internal error, or the connection breaks.
        case unavailable
        /// A later attempt may succeed (too many requests, busy file).
        case temporary
        /// Not allowed (401, 403, file permissions).
        case forbidden
        /// The response is not the requested content (not audio, not a feed, damaged).
        case badData
        /// The client and the server disagree about a protocol (TLS, redirects, HTTP).
        case badProtocol
        /// The target cannot be written (unwritable directory).
        case cannotCreate
        /// Reading or writing failed (disk full, device error).
        case inputOutput
    }

    public let kind: Kind
    /// A phrase without its subject and without a full stop: "the server answered 404 Not Found".
    public let reason: String
    /// The matches of an ambiguous name, the closest first; otherwise empty.
    public let choices: [String]

    /// True if the server requires a password and the request had none.
    public let needsPassword: Bool

    public init(_ kind: Kind, _ reason: String, choices: [String] = [], needsPassword: Bool = false) {
        self.kind = kind
        self.reason = reason
        self.choices = choices
        self.needsPassword = needsPassword
    }

    /// The reason after its subject, which is left out if the reason names it.
    package func sentence(about subject: String) -> String {
        !subject.isEmpty && reason.contains("\"\(subject)\"") ? reason : "\(subject): \(reason)"
    }
}
