// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Selects the proxy for a URL, by the environment variables that libcurl also reads.
///
/// The selection happens here because libcurl 7.88 does not report its choice, and a connection to a proxy does not
/// reveal the server that will answer.
struct ProxyChoice: Sendable {
    private let variables: [String: String]

    init(variables: [String: String]) {
        self.variables = variables.filter { !$0.value.isEmpty }
    }

    /// The choice by the environment of this process.
    static var ofEnvironment: ProxyChoice {
        // HTTP_PROXY is ignored: a web server sets it for a CGI program from a request's Proxy field.
        let names = [
            "http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY", "no_proxy", "NO_PROXY",
        ]
        let found = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
        return ProxyChoice(variables: Dictionary(found) { first, _ in first })
    }

    /// Returns the proxy for a server, or `nil` for a direct connection.
    func proxy(for origin: WebAddress.Origin) -> String? {
        guard !isExempt(origin.bareHost) else { return nil }
        let scheme = "\(origin.scheme.rawValue)_proxy"
        let secure = origin.scheme == .https ? variables["HTTPS_PROXY"] : nil
        return variables[scheme] ?? secure ?? variables["all_proxy"] ?? variables["ALL_PROXY"]
    }

    /// Returns true if the no_proxy list contains the host. A name in the list includes its subdomains; a network
    /// includes numeric hosts.
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
