// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Which proxy an address is fetched through, by the variables of the environment that libcurl reads, too.
///
/// The choice is made here because libcurl 7.88 does not tell it, and a connection to a proxy says nothing about who
/// will answer.
struct ProxyChoice: Sendable {
    private let variables: [String: String]

    init(variables: [String: String]) {
        self.variables = variables.filter { !$0.value.isEmpty }
    }

    /// Of this process.
    static var ofEnvironment: ProxyChoice {
        // HTTP_PROXY in capitals is what a web server hands to a CGI program from a request's Proxy field.
        let names = [
            "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        ]
        let found = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
        return ProxyChoice(variables: Dictionary(found) { first, _ in first })
    }

    /// `nil` where the host is connected to directly.
    func proxy(for origin: WebAddress.Origin) -> String? {
        guard !isExempt(origin.bareHost) else { return nil }
        let scheme = "\(origin.scheme.rawValue)_proxy"
        let secure = origin.scheme == .https ? variables["HTTPS_PROXY"] : nil
        return variables[scheme] ?? secure ?? variables["all_proxy"] ?? variables["ALL_PROXY"]
    }

    /// A name in the list covers itself and what is under it; a network covers numeric hosts.
    private func isExempt(_ host: String) -> Bool {
        guard let list = variables["no_proxy"] ?? variables["NO_PROXY"] else { return false }
        let address = IPAddress(text: host)
        return list.lowercased().split(whereSeparator: { ", \t".contains($0) }).contains { entry in
            if entry == "*" { return true }
            if let address { return IPNetwork(text: entry)?.contains(address) ?? false }
            let name = entry.drop { $0 == "." }
            return !name.isEmpty && (host == name || host.hasSuffix(".\(name)"))
        }
    }
}
