// SPDX-License-Identifier: GPL-3.0-or-later
@testable import HTTPTransfer

/// An address that may be anything: what is asked for is plain ASCII behind the host, and what is shown has no secret.
@Sendable
func fuzzAddresses(_ input: UnsafeRawBufferPointer) throws {
    let text = String(decoding: input, as: UTF8.self)
    if let escaped = EscapedURL(text) {
        try hold(EscapedURL(escaped.text) == escaped, "what is escaped needs it no more")
        try hold(escaped.text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "no control character is asked for")
    }
    let shown = RedactedURL(text).description
    try hold(shown.utf8.allSatisfy { !"?#".utf8.contains($0) }, "no query is shown: \(shown)")
    try holdSecrets(text)
}

/// The secret as a password, in a query and in a fragment, among whatever the input is.
private func holdSecrets(_ text: String) throws {
    let secret = "s3cr3t"
    guard !text.contains(secret) else { return }
    let parts = text.split(separator: "\n", maxSplits: 2, omittingEmptySubsequences: false)
    // What ends an authority before its login has ended makes another address of it.
    let name = parts[0].filter { !"/?#\\".contains($0) }
    let rest = parts.dropFirst().joined()
    for scheme in ["http://", "HTTPS://", "https:/", "http:///", ""] {
        let login = RedactedURL("\(scheme)\(name):\(secret)@host/\(rest)")
        try hold(!login.description.contains(secret), "no password is shown: \(login)")
    }
    let query = RedactedURL("https://host/\(name)?\(secret)\(rest)#\(secret)")
    try hold(!query.description.contains(secret), "no query is shown: \(query)")
}
