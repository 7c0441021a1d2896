// SPDX-License-Identifier: GPL-3.0-or-later

/// An address as it may be passed on: without user name and password.
enum PublicAddress {
    static func text(_ url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        let authority = url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard let at = authority.lastIndex(of: "@") else { return url }
        return String(url[..<scheme.upperBound] + url[url.index(after: at)...])
    }
}
