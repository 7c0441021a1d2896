// SPDX-License-Identifier: GPL-3.0-or-later
import CXML2

/// The receiver of the elements of a page.
protocol HTMLEvents: AnyObject {
    /// A page contains several documents if text follows `</html>`. No element of the document before is open.
    func documentStarted()
    /// - Parameter attributes: valid only during the call.
    func elementStarted(_ name: HTMLName, _ attributes: HTMLAttributes)
    func elementEnded(_ name: HTMLName)
}

/// The attributes of a start tag, with decoded values; a missing value is empty.
struct HTMLAttributes: Sequence, IteratorProtocol {
    /// Pairs of a name and a value, then `nil`.
    fileprivate var pairs: UnsafeMutablePointer<UnsafePointer<UInt8>?>?

    mutating func next() -> (name: HTMLName, value: [UInt8])? {
        guard let pair = pairs, let name = pair[0] else { return nil }
        pairs = pair + 2
        // White space, including line ends, becomes spaces, as in XML.
        let value = LibXML2.bytes(pair[1]).map { $0 < 0x20 ? 0x20 : $0 }
        return (HTMLName(LibXML2.bytes(name)), value)
    }
}

/// The HTML push parser of libxml2, which reads any page.
///
/// It opens nothing, and omits an incomplete tag at the end of the page.
/// Source: HTML 4.01.
final class HTMLPushParser {
    private let events: any HTMLEvents
    private var context: htmlParserCtxtPtr?

    /// The size of one tag. libxml2 compares each attribute with all others.
    private static let longestTag = 64 << 10
    /// The depth of open elements. libxml2 searches all of them at each end tag.
    private static let mostOpen = 256
    /// The number of documents in a page.
    private static let mostDocuments = 64
    private static let pieceLength = 16 << 10

    private init(_ events: any HTMLEvents) {
        self.events = events
        LibXML2.initialize()
        var handler = Self.handler
        context = htmlCreatePushParserCtxt(
            &handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil, XML_CHAR_ENCODING_UTF8)
        htmlCtxtUseOptions(
            context,
            CInt(HTML_PARSE_RECOVER.rawValue | HTML_PARSE_NONET.rawValue | HTML_PARSE_IGNORE_ENC.rawValue))
    }

    deinit {
        htmlFreeParserCtxt(context)
    }

    /// Parses a page. Text after `</html>` belongs to it, as another document.
    ///
    /// - Parameter page: UTF-8.
    static func parse(_ page: UnsafeBufferPointer<UInt8>, to events: any HTMLEvents) {
        var rest = page[...]
        for _ in 0..<mostDocuments where !rest.isEmpty {
            events.documentStarted()
            rest = rest.dropFirst(HTMLPushParser(events).read(UnsafeBufferPointer(rebasing: rest)))
        }
    }

    /// - Returns: the number of bytes up to the end of the document.
    private func read(_ page: UnsafeBufferPointer<UInt8>) -> Int {
        guard let context else { return page.count }
        var count = 0
        while count < page.count {
            let piece = UnsafeBufferPointer(rebasing: page[count...].prefix(Self.pieceLength))
            count += piece.count
            let text = UnsafeRawPointer(piece.baseAddress)?.assumingMemoryBound(to: CChar.self)
            // libxml2 has repaired the error, if any.
            _ = htmlParseChunk(context, text, CInt(piece.count), count < page.count ? 0 : 1)
            let (state, position) = (context.pointee.instate, Int(xmlByteConsumed(context)))
            guard position >= 0 else { return page.count }
            if state == XML_PARSER_EOF || context.pointee.nameNr > Self.mostOpen { return position }
            if state == XML_PARSER_START_TAG, count - position > Self.longestTag {
                return position + readTag(UnsafeBufferPointer(rebasing: page[position...]))
            }
        }
        return count
    }

    /// Parses the tag at the start of `page`. libxml2 did not find its end: a stray quote may hide the `>`.
    ///
    /// - Returns: the number of bytes up to the end of the tag.
    private func readTag(_ page: UnsafeBufferPointer<UInt8>) -> Int {
        let end = page.firstIndex(of: UInt8(ascii: ">")).map { $0 + 1 } ?? page.count
        if end <= Self.longestTag {
            _ = HTMLPushParser(events).read(UnsafeBufferPointer(rebasing: page[..<end]))
        }
        return end
    }

    /// True if the page ends here.
    private var isAtEnd: Bool { context?.pointee.input?.pointee.cur?.pointee ?? 0 == 0 }

    private static var handler: htmlSAXHandler {
        var handler = htmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElement = { parser, name, attributes in
            guard let parser = HTMLPushParser.from(parser), !parser.isAtEnd else { return }
            parser.events.elementStarted(HTMLName(LibXML2.bytes(name)), HTMLAttributes(pairs: attributes))
        }
        handler.endElement = { parser, name in
            HTMLPushParser.from(parser)?.events.elementEnded(HTMLName(LibXML2.bytes(name)))
        }
        // Without this, libxml2 would print errors.
        handler.serror = { _, _ in }
        return handler
    }

    private static func from(_ pointer: UnsafeMutableRawPointer?) -> HTMLPushParser? {
        pointer.map { Unmanaged<HTMLPushParser>.fromOpaque($0).takeUnretainedValue() }
    }
}
