// SPDX-License-Identifier: GPL-3.0-or-later

/// A request that `FaultServer` received, and the answer to it.
public struct FaultRequest: Sendable, Equatable {
    public var method: String
    /// The path without the query.
    public var path: String
    public var query: String?
    /// The header fields, with names in lower case and the last value of each.
    public var fields: [String: String]
    /// The status of the answer; 0 until the server sends it.
    public var status = 0
    /// The number of body bytes sent so far, without the framing of chunks.
    public var bytesSent = 0
    /// The number of the connection on this server, from 0.
    public var connection = 0
    /// The number of earlier requests on the same connection.
    public var place = 0
    /// The time since the server was created.
    public var time = Duration.zero

    public var range: String? { fields["range"] }
    public var ifRange: String? { fields["if-range"] }
    public var userAgent: String? { fields["user-agent"] }
    public var authorization: String? { fields["authorization"] }
    public var acceptEncoding: String? { fields["accept-encoding"] }
}

extension FaultRequest {
    /// Creates a request, or returns `nil` if the text is not a request head.
    init?(head: some StringProtocol) {
        var lines = head.split(separator: "\r\n", omittingEmptySubsequences: true)
        guard !lines.isEmpty else { return nil }
        let words = lines.removeFirst().split(separator: " ")
        guard words.count == 3 else { return nil }
        let target = String(words[1]).split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        method = String(words[0])
        path = String(target[0])
        query = target.count > 1 ? String(target[1]) : nil
        fields = [:]
        for line in lines {
            let halves = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            guard halves.count == 2 else { continue }
            fields[halves[0].lowercased()] = String(halves[1].drop { $0 == " " })
        }
    }

    /// Returns the range that the Range field requests of a body of `count` bytes: `nil` if the field is missing or
    /// malformed, an empty range if no requested byte exists.
    func wantedRange(of count: Int) -> Range<Int>? {
        guard let range, range.hasPrefix("bytes=") else { return nil }
        let bounds = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Int(bounds[0]), first >= 0 else { return nil }
        let end = bounds[1].isEmpty ? count : min((Int(bounds[1]) ?? count - 1) + 1, count)
        return first < end ? first..<end : count..<count
    }
}
