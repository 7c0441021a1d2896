// SPDX-License-Identifier: GPL-3.0-or-later
import CCurl

/// A version of libcurl. The version in use may differ from the one the process was built with.
public struct CurlVersion: Sendable, Comparable, CustomStringConvertible {
    public let major: Int
    public let minor: Int
    public let patch: Int

    public init(_ major: Int, _ minor: Int, _ patch: Int) {
        (self.major, self.minor, self.patch) = (major, minor, patch)
    }

    /// The version that the process runs with; `nil` if libcurl does not report it.
    public static var current: CurlVersion? {
        let number = Int(earshot_version_number())
        guard number > 0 else { return nil }
        return CurlVersion(number >> 16 & 0xFF, number >> 8 & 0xFF, number & 0xFF)
    }

    /// The version of libcurl and of the libraries it uses, for a report: "libcurl/7.88.1 OpenSSL/3.0.17
    /// zlib/1.2.13".
    public static var fullText: String { String(cString: curl_version()) }

    public static func < (left: CurlVersion, right: CurlVersion) -> Bool {
        (left.major, left.minor, left.patch) < (right.major, right.minor, right.patch)
    }

    public var description: String { "\(major).\(minor).\(patch)" }
}
