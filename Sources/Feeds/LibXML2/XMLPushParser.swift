// SPDX-License-Identifier: GPL-3.0-or-later
import CXML2

/// The SAX2 push parser of libxml2 for documents that are well-formed and that it reads as `MarkupRepairer` does.
///
/// It stops at the first fault, and at each construct that the two read differently. It loads no DTD and nothing from
/// the network, and knows only the five entities of XML: a document that declares or uses others is not for it. Except
/// for `XML_PARSE_HUGE`, which is off, the limits are those of the callers.
/// Source: XML 1.0 (fifth edition); Namespaces in XML 1.0.
final class XMLPushParser {
    /// True if the parser has stopped. It then ignores further text.
    private(set) var hasStopped = false
    private let limits: FeedLimits
    private var context: xmlParserCtxtPtr?
    private var events: (any XMLEvents)?
    /// The number of bytes of the document so far.
    private var size = 0

    init(limits: FeedLimits) {
        self.limits = limits
        LibXML2.initialize()
        var handler = Self.handler
        // libxml2 copies the handler. Without memory for the context, the parser has stopped before the first byte.
        context = xmlCreatePushParserCtxt(&handler, Unmanaged.passUnretained(self).toOpaque(), nil, 0, nil)
        hasStopped = context == nil
        // The text is UTF-8 already, whatever its declaration says.
        xmlCtxtUseOptions(context, CInt(XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue))
    }

    deinit {
        xmlFreeParserCtxt(context)
    }

    /// Parses the next bytes of the document: whole characters of UTF-8, without carriage returns.
    func append(_ bytes: UnsafeBufferPointer<UInt8>, to events: any XMLEvents) {
        guard !hasStopped, let first = bytes.first, let base = UnsafeRawPointer(bytes.baseAddress) else { return }
        // libxml2 would skip a second byte order mark.
        guard size > 0 || first != 0xEF else { return hasStopped = true }
        self.events = events
        defer { self.events = nil }
        size += bytes.count
        let text = base.assumingMemoryBound(to: CChar.self)
        // Unless the handler has stopped the parser, an error is one that it tolerates.
        _ = xmlParseChunk(context, text, CInt(bytes.count), 0)
        hasStopped = hasStopped || hasTooLongMarkup
    }

    /// True if a tag, a comment or an instruction exceeds the limit of a tag. libxml2 reads these only when they are
    /// complete, and compares each attribute with all others.
    private var hasTooLongMarkup: Bool {
        guard let context, let position else { return true }
        return size - position > limits.tagBytes && context.pointee.instate != XML_PARSER_CDATA_SECTION
    }

    /// The number of bytes that libxml2 has parsed; `nil` if it does not know.
    private var position: Int? {
        let count = Int(xmlByteConsumed(context))
        return count < 0 ? nil : count
    }

    /// The handler knows neither entities nor a DTD, so that libxml2 opens nothing and expands nothing.
    private static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { parser, _, _, _, namespaceCount, namespaces, count, defaultedCount, attributes in
            XMLPushParser.running(parser)?.start(
                LibXML2.Strings(start: namespaces, count: 2 * Int(namespaceCount)),
                LibXML2.Strings(start: attributes, count: 5 * Int(count - defaultedCount)))
        }
        handler.endElementNs = { parser, _, _, _ in XMLPushParser.running(parser)?.end() }
        handler.characters = { parser, text, count in XMLPushParser.running(parser)?.read(text, Int(count)) }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.comment = { parser, text in XMLPushParser.running(parser)?.check(comment: text) }
        handler.internalSubset = { parser, _, publicID, systemID in
            XMLPushParser.running(parser)?.check(declaration: [publicID, systemID])
        }
        handler.getEntity = { parser, _ in
            XMLPushParser.running(parser)?.hasStopped = true
            return nil
        }
        handler.serror = { parser, error in
            guard let error, !LibXML2.isTolerated(error.pointee) else { return }
            XMLPushParser.running(parser)?.hasStopped = true
        }
        return handler
    }

    /// - Returns: `nil` if the parser has stopped.
    private static func running(_ pointer: UnsafeMutableRawPointer?) -> XMLPushParser? {
        guard let pointer else { return nil }
        let parser = Unmanaged<XMLPushParser>.fromOpaque(pointer).takeUnretainedValue()
        return parser.hasStopped ? nil : parser
    }
}

extension XMLPushParser {
    private func start(_ namespaces: LibXML2.Strings, _ attributes: LibXML2.Strings) {
        guard let position, let source = tagSource, source.count <= limits.tagBytes,
            let tag = StartTag(source, namespaces, attributes, limit: limits.attributes)
        else { return hasStopped = true }
        // libxml2 stands before the `>` or `/>`.
        let end = position + (tag.isEmptyElement ? 2 : 1)
        hasStopped = events?.elementStarted(tag, endingAt: end) != true
    }

    /// The start tag before libxml2's position, from `<` up to but not including `>`. It contains no other `<`.
    private var tagSource: UnsafeBufferPointer<UInt8>? {
        guard let input = context?.pointee.input?.pointee, let base = input.base, let end = input.cur else {
            return nil
        }
        let length = end.pointee == UInt8(ascii: "/") ? 1 : 0
        guard end[length] == UInt8(ascii: ">") else { return nil }
        var start = end
        repeat {
            guard start > base else { return nil }
            start -= 1
        } while start.pointee != UInt8(ascii: "<")
        return UnsafeBufferPointer(start: start, count: end - start + length)
    }

    private func end() {
        guard let position else { return hasStopped = true }
        events?.elementEnded(at: position)
    }

    private func read(_ text: UnsafePointer<UInt8>?, _ count: Int) {
        let text = UnsafeBufferPointer(start: text, count: count)
        // libxml2 passes each reference on as a piece of one character.
        guard count > 4 || !LibXML2.isReadAsAnother(text) else { return hasStopped = true }
        events?.charactersRead(text)
    }

    /// As in HTML, `<!-->` and `<!--->` are complete comments for the repairer.
    private func check(comment: UnsafePointer<UInt8>?) {
        guard let comment else { return }
        let first = comment[0] == UInt8(ascii: "-") ? comment[1] : comment[0]
        if first == UInt8(ascii: ">") { hasStopped = true }
    }

    /// Stops at a DOCTYPE with an internal subset, and at one whose identifiers contain characters that end it or
    /// begin a subset for the repairer.
    private func check(declaration identifiers: [UnsafePointer<UInt8>?]) {
        let isSubset = context?.pointee.input?.pointee.cur?.pointee == UInt8(ascii: "[")
        let isStrange = identifiers.contains { identifier in
            LibXML2.bytes(identifier).contains { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[") }
        }
        if isSubset || isStrange { hasStopped = true }
    }
}
