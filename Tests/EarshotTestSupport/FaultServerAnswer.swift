// SPDX-License-Identifier: GPL-3.0-or-later

/// The answer to one request according to a script: the head as text and the part of the body that follows it. Pure.
struct FaultAnswer {
    let status: Int
    let head: String
    let body: ArraySlice<UInt8>
    let endsConnection: Bool

    init(_ script: FaultScript, to request: FaultRequest) {
        let part = Part(script, request)
        status = part.status
        body = script.body[part.range]
        let isAskedToClose = request.fields["connection"]?.lowercased() == "close"
        var closes = script.closes || script.cut != nil || isAskedToClose
        var fields = script.framing.fields(for: body.count)
        if !script.framing.keepsConnection || script.isEndless { closes = true }
        if let contentType = script.contentType { fields.append(("Content-Type", contentType)) }
        if let contentRange = part.contentRange { fields.append(("Content-Range", contentRange)) }
        if let etag = script.etag { fields.append(("ETag", etag)) }
        if let lastModified = script.lastModified { fields.append(("Last-Modified", lastModified)) }
        if case .ignored = script.ranges {} else { fields.append(("Accept-Ranges", "bytes")) }
        if closes { fields.append(("Connection", "close")) }
        let lines = (fields + script.fields).map { "\($0.name): \($0.value)\r\n" }
        let interim = script.interim.map { "HTTP/1.1 \($0) Interim\r\nLink: </early>\r\n\r\n" }
        head = interim.joined() + "HTTP/1.1 \(status) Scripted\r\n" + lines.joined() + "\r\n"
        endsConnection = closes || script.closesUnasked
    }

    /// The bytes to send, and their status.
    private struct Part {
        var status: Int
        var range: Range<Int>
        var contentRange: String?

        init(_ script: FaultScript, _ request: FaultRequest) {
            let count = script.body.count
            (status, range, contentRange) = (script.status ?? 200, 0..<count, nil)
            guard script.status == nil, Self.isRangeValid(script, request),
                var wanted = request.wantedRange(of: count)
            else { return }
            guard !wanted.isEmpty else {
                (status, range, contentRange) = (416, count..<count, "bytes */\(count)")
                return
            }
            var said = wanted
            var total = Int64(count)
            switch script.ranges {
            case .ignored: return
            case .honoured, .bare: break
            case .capped(let limit):
                wanted = wanted.prefix(limit)
                said = wanted
            case .shifted(let distance):
                wanted = Self.shift(wanted, by: distance, within: count)
                said = wanted
            case .lying(let distance): wanted = Self.shift(wanted, by: distance, within: count)
            case .beginning: wanted = 0..<wanted.count
            case .wrongTotal(let other): total = other
            }
            (status, range) = (206, wanted)
            if case .bare = script.ranges { return }
            contentRange = "bytes \(said.lowerBound)-\(said.upperBound - 1)/\(total)"
        }

        private static func isRangeValid(_ script: FaultScript, _ request: FaultRequest) -> Bool {
            guard script.honoursIfRange, let validator = request.ifRange else { return true }
            return validator == script.etag || validator == script.lastModified
        }

        private static func shift(_ range: Range<Int>, by distance: Int, within count: Int) -> Range<Int> {
            let start = min(max(range.lowerBound + distance, 0), count - 1)
            return start..<max(start + 1, min(start + range.count, count))
        }
    }
}

extension FaultScript.Framing {
    fileprivate func fields(for count: Int) -> [(name: String, value: String)] {
        switch self {
        case .length: [("Content-Length", "\(count)")]
        case .declaredLength(let length): [("Content-Length", "\(length)")]
        case .lengthTexts(let texts): texts.map { ("Content-Length", $0) }
        case .untilClose: []
        case .chunked, .brokenChunked: [("Transfer-Encoding", "chunked")]
        }
    }

    /// True if the client can find the end of the body without the end of the connection.
    fileprivate var keepsConnection: Bool {
        switch self {
        case .length, .chunked: true
        case .declaredLength, .lengthTexts, .untilClose, .brokenChunked: false
        }
    }
}
