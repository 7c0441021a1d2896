// SPDX-License-Identifier: GPL-3.0-or-later

/// The use of a user name and a password in a request.
public enum CredentialUse: Sendable, Equatable, CaseIterable {
    /// The URL had none.
    case none
    case sent
    /// The URL had credentials, but a redirect led away from the server they belong to.
    case withheld
}
