// SPDX-License-Identifier: GPL-3.0-or-later
import EpisodeLibrary
import Feeds
import Media

/// A document that can be imported; its first bytes determine the format.
enum ImportedDocument {
    case list(OPML)
    case copy(LibraryCopy)

    private enum Parser {
        case list(OPMLParser)
        case copy(LibraryCopyParser)
    }

    /// - Parameter path: the path of the document; `-` is standard input.
    static func read(_ path: String) throws(MediaFailure) -> ImportedDocument {
        do throws(MediaFailure) {
            var parser: Parser?
            try FeedFile.forEachPart(of: path) { part throws(MediaFailure) in
                let present = parser ?? begin(part)
                parser = present
                try consume(part, present)
            }
            return try finish(parser ?? .list(OPMLParser()))
        } catch {
            throw MediaFailure(error.kind, "\(path): \(error.reason)")
        }
    }

    private static func begin(_ part: UnsafeRawBufferPointer) -> Parser {
        LibraryCopyParser.isBegun(by: part) ? .copy(LibraryCopyParser()) : .list(OPMLParser())
    }

    private static func consume(_ part: UnsafeRawBufferPointer, _ parser: Parser) throws(MediaFailure) {
        switch parser {
        case .list(let parser): try mapping { () throws(OPMLError) in try parser.consume(part) }
        case .copy(let parser): try parser.consume(part)
        }
    }

    private static func finish(_ parser: Parser) throws(MediaFailure) -> ImportedDocument {
        switch parser {
        case .list(let parser): .list(try mapping { () throws(OPMLError) in try parser.finish() })
        case .copy(let parser): .copy(try parser.finish())
        }
    }

    private static func mapping<Value>(_ body: () throws(OPMLError) -> Value) throws(MediaFailure) -> Value {
        do throws(OPMLError) { return try body() } catch { throw MediaFailure(.badData, error.description) }
    }
}
