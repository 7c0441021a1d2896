// SPDX-License-Identifier: GPL-3.0-or-later

/// Whether a request carried a user name and a password.
public enum CredentialUse: Sendable, Equatable, CaseIterable {
    /// The address had none.
    case none
    case sent
    /// The address had some, but a redirect led away from the server they are for.
    case withheld
}
