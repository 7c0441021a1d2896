// SPDX-License-Identifier: GPL-3.0-or-later

/// An http or https address and the user name and password that stood in it, apart: only the first may be shown and
/// stored where others look.
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

    /// Whether what belongs to the one may be sent to the other (RFC 6454).
    public func isOfOneOrigin(with other: BareURL) -> Bool { origin == other.origin }
}
