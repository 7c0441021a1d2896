// SPDX-License-Identifier: GPL-3.0-or-later

/// The cookies of one chain of redirects: some servers redirect to themselves until the client returns their cookie.
///
/// Stricter than RFC 6265: a cookie is returned only to the host that set it, regardless of Domain, and a cookie
/// received over https is sent only over https.
struct CookieJar: Equatable {
    private struct Cookie: Equatable {
        let origin: WebAddress.Origin
        let name: Substring
        let value: Substring
    }

    private static let most = 32
    private static let longest = 4096

    private var cookies: [Cookie] = []

    mutating func keep(_ fields: HeaderFields, from origin: WebAddress.Origin) {
        for line in fields.all("set-cookie") { keep(line, from: origin) }
    }

    private mutating func keep(_ line: String, from origin: WebAddress.Origin) {
        let parts = line.split(separator: ";")
        guard let pair = parts.first, let equals = pair.firstIndex(of: "="), pair.utf8.count <= Self.longest,
            pair.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F })
        else { return }
        let name = HeaderFields.trimmed(pair[..<equals])[...]
        let value = HeaderFields.trimmed(pair[pair.index(after: equals)...])[...]
        guard !name.isEmpty else { return }
        cookies.removeAll { $0.origin.host == origin.host && $0.name == name }
        guard cookies.count < Self.most, !parts.dropFirst().contains(where: Self.isEnd) else { return }
        cookies.append(Cookie(origin: origin, name: name, value: value))
    }

    /// Returns true for an attribute that deletes the cookie. Expiry dates are ignored, because no cookie lives
    /// longer than seconds here.
    private static func isEnd(_ attribute: Substring) -> Bool {
        let text = attribute.lowercased().filter { $0 != " " }
        return text.hasPrefix("max-age=0") || text.hasPrefix("max-age=-")
    }

    /// Returns the value of the Cookie field, or `nil` if no cookie matches the origin.
    func field(for origin: WebAddress.Origin) -> String? {
        let fitting = cookies.filter {
            $0.origin.host == origin.host && ($0.origin.scheme == .http || origin.scheme == .https)
        }
        return fitting.isEmpty ? nil : fitting.map { "\($0.name)=\($0.value)" }.joined(separator: "; ")
    }
}
