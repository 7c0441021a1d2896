// SPDX-License-Identifier: GPL-3.0-or-later
@testable import HTTPTransfer

/// Parses arbitrary text as a URL: the requested URL is plain ASCII after the host, and the displayed URL contains no
/// secret.
@Sendable
func fuzzAddresses(_ input: UnsafeRawBufferPointer) throws {
    let text = String(decoding: input, as: UTF8.self)
    if let escaped = EscapedURL(text) {
        try hold(EscapedURL(escaped.text) == escaped, "escaping twice changes nothing")
        try hold(escaped.text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "an escaped URL has no control character")
    }
    let shown = RedactedURL(text).description
    try hold(shown.utf8.allSatisfy { !"?#".utf8.contains($0) }, "a redacted URL has no query: \(shown)")
    try holdSecrets(text)
}

/// Checks a secret as a password, in a query and in a fragment, surrounded by the input.
private func holdSecrets(_ text: String) throws {
    let secret = "s3cr3t"
    guard !text.contains(secret) else { return }
    let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    let rest = parts.dropFirst().joined()
    for scheme in ["http://", "HTTPS://", "https:/", "http:///", "//", ""] {
        let url = "\(scheme)\(parts[0]):\(secret)@host/\(rest)"
        let shown = RedactedURL(url).description
        // A byte that ends the authority before the login has ended changes the meaning of the URL.
        if !parts[0].utf8.contains(where: { "/?#\\".utf8.contains($0) }) {
            try hold(!shown.contains(secret), "a redacted URL has no password: \(shown)")
        }
        guard let (address, credentials) = parsed(url), credentials.password.contains(secret) else { continue }
        try hold(!shown.contains(secret), "a redacted URL has no password as libcurl parses it: \(shown)")
        try hold(!address.text.contains(secret), "a parsed address has no password: \(address.text)")
    }
    let query = RedactedURL("https://host/\(parts[0])?\(secret)\(rest)#\(secret)")
    try hold(!query.description.contains(secret), "a redacted URL has no query: \(query)")
}

private func parsed(_ url: String) -> (WebAddress, Credentials)? {
    do throws(TransferError) {
        let (address, credentials) = try WebAddress.parse(url)
        return credentials.map { (address, $0) }
    } catch {
        return nil
    }
}
