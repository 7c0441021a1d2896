// SPDX-License-Identifier: GPL-3.0-or-later

/// A published vulnerability of libcurl in a feature that Earshot uses, with Earshot's mitigation.
///
/// A distribution may fix a vulnerability without changing the version number, so Earshot only reports it and does
/// not refuse to work.
public struct Advisory: Sendable, Equatable {
    public let id: String
    /// The first affected version.
    public let since: CurlVersion
    /// The first fixed version.
    public let fixedVersion: CurlVersion
    /// A phrase that describes the vulnerability.
    public let weakness: String
    /// A phrase that describes the mitigation.
    public let mitigation: String

    /// Source: the advisories on curl.se, each by its id.
    public static let all: [Advisory] = [
        Advisory(
            id: "CVE-2022-27774", since: CurlVersion(4, 9, 0), fixedVersion: CurlVersion(7, 83, 0),
            weakness: "passwords follow a redirect to another port or protocol",
            mitigation: "Earshot follows redirects and sends a password to one origin only"),
        Advisory(
            id: "CVE-2023-23916", since: CurlVersion(7, 57, 0), fixedVersion: CurlVersion(7, 88, 0),
            weakness: "a response that is compressed many times fills the memory",
            mitigation: "Earshot requests audio uncompressed"),
        Advisory(
            id: "CVE-2023-38039", since: CurlVersion(7, 84, 0), fixedVersion: CurlVersion(8, 3, 0),
            weakness: "endless header lines fill the memory",
            mitigation: "response headers are limited to 64 KiB, and to 256 KiB in all for a request"),
        Advisory(
            id: "CVE-2023-38545", since: CurlVersion(7, 69, 0), fixedVersion: CurlVersion(8, 4, 0),
            weakness: "a long host name overflows a buffer when a SOCKS5 proxy is used",
            mitigation: "Earshot rejects host names longer than 253 bytes"),
        Advisory(
            id: "CVE-2023-46218", since: CurlVersion(7, 46, 0), fixedVersion: CurlVersion(8, 5, 0),
            weakness: "a cookie can be set for a whole top-level domain",
            mitigation: "libcurl's cookies are off; Earshot sends a cookie to one host only"),
        Advisory(
            id: "CVE-2024-11053", since: CurlVersion(6, 5, 0), fixedVersion: CurlVersion(8, 11, 1),
            weakness: "a password from .netrc follows a redirect", mitigation: "Earshot does not read .netrc"),
    ]

    /// Returns the vulnerabilities that the version number does not rule out.
    public static func possible(in version: CurlVersion) -> [Advisory] {
        all.filter { $0.since <= version && version < $0.fixedVersion }
    }
}
