// SPDX-License-Identifier: GPL-3.0-or-later

/// An http or https address and the user name and password that stood in it, apart: only the first may be shown and
/// stored where others look.
public struct BareURL: Sendable, Equatable {
    public let text: String
    public let credentials: Credentials?

    /// - Throws: `badURL` or `forbiddenScheme`.
    public init(_ url: String) throws(TransferError) {
        let (address, credentials) = try WebAddress.parse(url)
        text = address.text
        self.credentials = credentials
    }
}
