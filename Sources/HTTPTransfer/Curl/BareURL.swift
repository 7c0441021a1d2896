// SPDX-License-Identifier: GPL-3.0-or-later

/// An http or https URL, separated from the user name and password in it: only the URL may be displayed, or
/// stored where other people can read it.
public struct BareURL: Sendable, Equatable {
    public let text: String
    public let credentials: Credentials?
    private let origin: WebAddress.Origin

    /// - Throws: `badURL` or `forbiddenScheme`.
    public init(_ url: String) throws(TransferError) {
        let (address, credentials) = try WebAddress.parse(url)
        text = address.text
        self.credentials = credentials
        origin = address.origin
    }

    /// Returns true if both URLs have the same origin, so that data of one may be sent to the other (RFC 6454).
    public func sharesOrigin(with other: BareURL) -> Bool { origin == other.origin }
}
