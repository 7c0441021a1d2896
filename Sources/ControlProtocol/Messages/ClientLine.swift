// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A line that a client sent.
enum ClientLine: Sendable, Equatable {
    /// - `id`: `nil` for a notification, which gets no reply.
    case request(id: RequestID?, method: String, parameters: JSONValue)
    /// A line of `--commands`.
    case command(String)
    case blank
    case invalid(id: RequestID?, ControlError)

    init(_ line: LineSplitter.Line) {
        switch line {
        case .text(let text): self.init(text)
        case .tooLong: self = .invalid(id: nil, .invalidRequest("the line is longer than 64 KiB"))
        case .notUTF8: self = .invalid(id: nil, .parse("the line is not UTF-8"))
        }
    }

    private init(_ text: String) {
        switch text.utf8.first(where: { $0 != 0x20 && $0 != 0x09 }) {
        case nil: self = .blank
        case UInt8(ascii: "{"): self = Self.request(text)
        case UInt8(ascii: "["): self = .invalid(id: nil, .invalidRequest("batches are not supported"))
        default: self = .command(text)
        }
    }

    private static func request(_ text: String) -> ClientLine {
        do throws(JSONError) {
            return request(try JSONValue(parsing: text))
        } catch {
            switch error {
            case .syntax(let offset): return .invalid(id: nil, .parse("invalid JSON at byte \(offset)"))
            case .tooDeep: return .invalid(id: nil, .parse("the JSON is nested too deeply"))
            }
        }
    }

    private static func request(_ object: JSONValue) -> ClientLine {
        let id = object["id"].flatMap { RequestID($0) }
        func invalid(_ problem: String) -> ClientLine { .invalid(id: id, .invalidRequest(problem)) }
        if object["id"] != nil, id == nil { return invalid("\"id\" must be an integer or a short text") }
        if let version = object["jsonrpc"], version != .string("2.0") { return invalid("\"jsonrpc\" must be \"2.0\"") }
        guard let method = object["method"]?.string else { return invalid("\"method\" must be a text") }
        let parameters = object["params"] ?? .object([])
        guard parameters.members != nil else {
            return .invalid(id: id, .invalidParameters("\"params\" must be an object"))
        }
        return .request(id: id, method: method, parameters: parameters)
    }
}
