// SPDX-License-Identifier: GPL-3.0-or-later
import CXML2

/// The SAX2 push parser of libxml2 for documents that are well-formed and that it reads as `MarkupRepairer` does.
///
/// It stops at the first fault, and at each construct that the two read differently. It loads no DTD and nothing from
/// the network, and knows only the five entities of XML: a document that declares or uses others is not for it. Except
/// for `XML_PARSE_HUGE`, which is off, the limits are those of the callers.
/// Source: XML 1.0 (fifth edition); Namespaces in XML 1.0.
final class XMLPushParser {
    private let limits: FeedLimits
    private let context: xmlParserCtxtPtr?
    /// A pointer, because libxml2 calls back while `append` uses this parser.
    private let callbacks: UnsafeMutablePointer<XMLCallbacks>
    /// The number of bytes of the document so far.
    private var size = 0

    /// The maximum number of different names. libxml2 keeps all of them, in a hash table that stops growing.
    private static let mostNames = 10_000

    init(limits: FeedLimits, events: XMLEvents) {
        self.limits = limits
        LibXML2.initialize()
        callbacks = .allocate(capacity: 1)
        var handler = XMLCallbacks.handler
        // libxml2 copies the handler.
        context = xmlCreatePushParserCtxt(&handler, callbacks, nil, 0, nil)
        callbacks.initialize(to: XMLCallbacks(context: context, limits: limits, events: events))
        // The text is UTF-8 already, whatever its declaration says.
        xmlCtxtUseOptions(context, CInt(XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue))
    }

    deinit {
        // libxml2 keeps declared entities in a document of its own, even without a handler for them.
        xmlFreeDoc(context?.pointee.myDoc)
        xmlFreeParserCtxt(context)
        callbacks.deinitialize(count: 1)
        callbacks.deallocate()
    }

    /// True if the parser has stopped, also if there was no memory for it. It then ignores further text.
    var hasStopped: Bool { callbacks.pointee.hasStopped }

    /// Parses the next bytes of the document: whole characters of UTF-8, without carriage returns.
    func append(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard !hasStopped, let first = bytes.first, let base = UnsafeRawPointer(bytes.baseAddress) else { return }
        // libxml2 would skip a second byte order mark.
        guard size > 0 || first != 0xEF else { return callbacks.pointee.stop() }
        size += bytes.count
        let text = base.assumingMemoryBound(to: CChar.self)
        // Unless the handler has stopped the parser, an error is one that it tolerates.
        _ = xmlParseChunk(context, text, CInt(bytes.count), 0)
        if hasTooLongMarkup || hasTooManyNames { callbacks.pointee.stop() }
    }

    private var hasTooManyNames: Bool { xmlDictSize(context?.pointee.dict) > Self.mostNames }

    /// True if a tag, a comment or an instruction exceeds the limit of a tag. libxml2 reads these only when they are
    /// complete, and compares each attribute with all others.
    private var hasTooLongMarkup: Bool {
        guard let context, let position = callbacks.pointee.position else { return true }
        return size - position > limits.tagBytes && context.pointee.instate != XML_PARSER_CDATA_SECTION
    }
}
