import Media

// SPDX-License-Identifier: GPL-3.0-or-later
@testable import HTTPTransfer

/// Parses arbitrary text as a URL: splitting loses nothing, libcurl splits an accepted URL in the same way, and the
/// displayed URL contains no secret.
@Sendable
func fuzzAddresses(_ input: UnsafeRawBufferPointer) throws {
    let text = String(decoding: input, as: UTF8.self)
    let url = WebURL(text)
    try hold(WebURL(url.text).text == url.text, "splitting twice changes nothing: \(url.text)")
    try hold(url.escaped.escaped.text == url.escaped.text, "escaping twice changes nothing")
    try holdAgreement(text)
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

/// Checks that the address passed to libcurl is ASCII, and that libcurl connects to the host that is checked.
private func holdAgreement(_ text: String) throws {
    guard let (address, _) = accepted(text) else { return }
    try hold(address.text.utf8.allSatisfy { 0x21...0x7E ~= $0 }, "a parsed address is visible ASCII: \(address.text)")
    guard let url = CurlURL(address.text) else { return try hold(false, "libcurl requests \(address.text)") }
    try hold(url.agrees(with: WebURL(address.text)), "WebURL and libcurl agree on \(address.text)")
    try hold(url.host?.lowercased() == address.origin.host, "the checked host is that of \(address.text)")
}

private func accepted(_ url: String) -> (WebAddress, Credentials?)? {
    do throws(TransferError) { return try WebAddress.parse(url) } catch { return nil }
}

private func parsed(_ url: String) -> (WebAddress, Credentials)? {
    accepted(url).flatMap { address, credentials in credentials.map { (address, $0) } }
}
