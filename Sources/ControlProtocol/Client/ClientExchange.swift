// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// A client's side of a connection as a pure value: it numbers requests and splits the bytes of the server.
public struct ClientExchange: Sendable {
    /// The server sent something that is not the protocol.
    public enum Failure: Error, Sendable, Equatable {
        case lineTooLong
    }

    /// The most bytes of a line: a snapshot contains the whole queue.
    private static let longestLine = 16 << 20

    private var splitter = LineSplitter(longestLine: Self.longestLine)
    private var lastID: Int64 = 0

    public init() {}

    /// Returns the bytes of a request and its identity, which the reply repeats.
    public mutating func request(_ method: MethodName, _ parameters: [JSONValue.Member]) -> (RequestID, [UInt8]) {
        lastID += 1
        let id = RequestID.integer(lastID)
        let object = JSONValue.object([
            .init("jsonrpc", .string("2.0")), .init("id", id.json), .init("method", .string(method.rawValue)),
            .init("params", .object(parameters)),
        ])
        return (id, Array("\(object)\n".utf8))
    }

    /// Returns the lines that `bytes` completes. Lines of later versions of the protocol are left out.
    public mutating func receive(_ bytes: some Sequence<UInt8>) throws(Failure) -> [ServerLine] {
        var lines: [ServerLine] = []
        for line in splitter.consume(bytes) {
            switch line {
            case .text(let text): if let line = ServerLine(parsing: text) { lines.append(line) }
            case .tooLong: throw .lineTooLong
            case .notUTF8: break
            }
        }
        return lines
    }
}
