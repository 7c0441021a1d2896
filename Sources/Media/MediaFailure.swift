// SPDX-License-Identifier: GPL-3.0-or-later

/// Why something could not be had or played, in terms a listener can act on.
public struct MediaFailure: Error, Sendable, Equatable {
    /// What kind of trouble it is; decides the exit status.
    public enum Kind: Sendable, Equatable, CaseIterable {
        /// The named thing does not exist (404, 410, no such file, no such episode).
        case missing
        /// The words mean several things.
        case ambiguous
        /// The host's name is unknown.
        case unknownHost
        /// Nobody answers, the connection breaks, the server is in trouble.
        case unavailable
        /// It may work later (too many requests, busy file).
        case temporary
        /// Not allowed (401, 403, file permissions).
        case forbidden
        /// The answer is not what was asked for (not audio, not a feed, damaged).
        case badData
        /// The two ends do not understand each other (TLS, redirects, HTTP).
        case badProtocol
        /// The target cannot be written (unwritable directory).
        case cannotCreate
        /// Reading or writing failed (disk full, device error).
        case inputOutput
    }

    public let kind: Kind
    /// A phrase without its subject and without a full stop: "the server answered 404 Not Found".
    public let reason: String
    /// What an ambiguous name can mean, the closest first; else empty.
    public let choices: [String]

    public init(_ kind: Kind, _ reason: String, choices: [String] = []) {
        self.kind = kind
        self.reason = reason
        self.choices = choices
    }
}
