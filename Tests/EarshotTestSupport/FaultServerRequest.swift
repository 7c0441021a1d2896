// SPDX-License-Identifier: GPL-3.0-or-later

/// A request as `FaultServer` saw it, and what came of it.
public struct FaultRequest: Sendable, Equatable {
    public var method: String
    /// Without its query.
    public var path: String
    public var query: String?
    /// Names in lower case; the last value of each.
    public var fields: [String: String]
    /// Of the answer; 0 until it is sent.
    public var status = 0
    /// Of the body, so far; in chunks without their framing.
    public var bytesSent = 0
    /// Counts the connections of the server, from 0.
    public var connection = 0
    /// How many requests came before it on its connection.
    public var place = 0
    /// Since the server was made.
    public var time = Duration.zero

    public var range: String? { fields["range"] }
    public var ifRange: String? { fields["if-range"] }
    public var userAgent: String? { fields["user-agent"] }
    public var authorization: String? { fields["authorization"] }
    public var acceptEncoding: String? { fields["accept-encoding"] }
}

extension FaultRequest {
    /// `nil` where the text is no request head.
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

    /// What a Range field asks of a body of `count` bytes: `nil` where there is none or none that is understood; an
    /// empty range where nothing of it exists.
    func wantedRange(of count: Int) -> Range<Int>? {
        guard let range, range.hasPrefix("bytes=") else { return nil }
        let bounds = range.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2, let first = Int(bounds[0]), first >= 0 else { return nil }
        let end = bounds[1].isEmpty ? count : min((Int(bounds[1]) ?? count - 1) + 1, count)
        return first < end ? first..<end : count..<count
    }
}
