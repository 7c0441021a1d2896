// SPDX-License-Identifier: GPL-3.0-or-later

/// The five parts of a URI reference (RFC 3986, appendix B).
struct URLParts {
    /// In lower case.
    var scheme: String?
    var authority: ArraySlice<UInt8>?
    var path: [UInt8]
    var query: ArraySlice<UInt8>?
    var fragment: ArraySlice<UInt8>?

    init(_ reference: [UInt8]) {
        var rest = reference[...]
        if let hash = rest.firstIndex(of: UInt8(ascii: "#")) {
            fragment = rest[(hash + 1)...]
            rest = rest[..<hash]
        }
        if let mark = rest.firstIndex(of: UInt8(ascii: "?")) {
            query = rest[(mark + 1)...]
            rest = rest[..<mark]
        }
        let name = rest.prefix { ASCII.isLetterOrDigit($0) || "+-.".utf8.contains($0) }
        if let first = name.first, ASCII.isLetter(first), rest.dropFirst(name.count).first == UInt8(ascii: ":") {
            scheme = ASCII.lowercasedString(name)
            rest = rest[(name.endIndex + 1)...]
        }
        if rest.starts(with: "//".utf8) {
            authority = rest.dropFirst(2).prefix { $0 != UInt8(ascii: "/") }
            rest = rest.dropFirst(2).drop { $0 != UInt8(ascii: "/") }
        }
        path = Array(rest)
    }

    var isWeb: Bool {
        guard scheme == "http" || scheme == "https", let authority else { return false }
        let host = authority.lastIndex(of: UInt8(ascii: "@")).map { authority[($0 + 1)...] } ?? authority
        return !host.isEmpty && host.first != UInt8(ascii: ":") && !host.contains(UInt8(ascii: "%"))
    }

    /// True for a file on this machine (RFC 8089).
    var isLocal: Bool { scheme == "file" && authority?.isEmpty == true }

    var text: String {
        var bytes: [UInt8] = []
        if let scheme { bytes.append(contentsOf: "\(scheme):".utf8) }
        if let authority { bytes.append(contentsOf: "//".utf8 + authority) }
        bytes.append(contentsOf: path)
        if let query { bytes.append(contentsOf: "?".utf8 + query) }
        if let fragment { bytes.append(contentsOf: "#".utf8 + fragment) }
        return String(text: bytes)
    }

    func resolved(against base: URLParts) -> URLParts {
        guard scheme == nil else { return self }
        var result = self
        result.scheme = base.scheme
        guard authority == nil else { return result }
        result.authority = base.authority
        if path.isEmpty {
            result.path = base.path
            result.query = query ?? base.query
        } else {
            let directory = base.path.prefix((base.path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)
            let isRooted = path.first == UInt8(ascii: "/")
            result.path = Self.withoutDots(
                isRooted ? path : (directory.isEmpty ? Array("/".utf8) : Array(directory)) + path)
        }
        return result
    }

    private static func withoutDots(_ path: [UInt8]) -> [UInt8] {
        var segments: [ArraySlice<UInt8>] = []
        let all = path.dropFirst().split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        for (index, segment) in all.enumerated() {
            let isDots = segment.elementsEqual("..".utf8)
            if isDots { segments.removeLast(min(1, segments.count)) }
            if !isDots, !segment.elementsEqual(".".utf8) {
                segments.append(segment)
            } else if index == all.count - 1 {
                segments.append([])
            }
        }
        return segments.reduce(into: []) { $0.append(contentsOf: "/".utf8 + $1) }
    }
}
