// SPDX-License-Identifier: GPL-3.0-or-later
import CXML2

/// The functions that libxml2 calls while it parses. They pass its events on, and stop it.
struct XMLCallbacks {
    let context: xmlParserCtxtPtr?
    let limits: FeedLimits
    let events: XMLEvents
    /// The number of errors that the parser may still ignore. libxml2 formats a message for each.
    private var tolerance = 1_000

    /// The maximum number of namespaces in scope. libxml2 compares the prefix of each name with all of them.
    private static let mostNamespaces = 128

    init(context: xmlParserCtxtPtr?, limits: FeedLimits, events: XMLEvents) {
        self.context = context
        self.limits = limits
        self.events = events
    }

    /// True if the parser has stopped, or does not exist.
    var hasStopped: Bool { context?.pointee.disableSAX != 0 }

    func stop() {
        context?.pointee.disableSAX = 1
    }

    /// The number of bytes that libxml2 has parsed; `nil` if it does not know.
    var position: Int? {
        let count = Int(xmlByteConsumed(context))
        return count < 0 ? nil : count
    }

    /// The handler knows neither entities nor a DTD, so that libxml2 opens nothing and expands nothing. Its user data
    /// is a pointer to `XMLCallbacks`.
    static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = { data, _, _, _, namespaceCount, namespaces, count, defaultedCount, attributes in
            XMLCallbacks.running(data)?.pointee.start(
                LibXML2.Strings(start: namespaces, count: 2 * Int(namespaceCount)),
                LibXML2.Strings(start: attributes, count: 5 * Int(count - defaultedCount)))
        }
        handler.endElementNs = { data, _, _, _ in XMLCallbacks.running(data)?.pointee.end() }
        handler.characters = { data, text, count in XMLCallbacks.running(data)?.pointee.read(text, Int(count)) }
        handler.ignorableWhitespace = handler.characters
        handler.cdataBlock = handler.characters
        handler.comment = { data, text in XMLCallbacks.running(data)?.pointee.check(comment: text) }
        handler.internalSubset = { data, _, publicID, systemID in
            XMLCallbacks.running(data)?.pointee.check(declaration: [publicID, systemID])
        }
        handler.getEntity = { data, _ in
            XMLCallbacks.running(data)?.pointee.stop()
            return nil
        }
        handler.serror = { data, error in XMLCallbacks.running(data)?.pointee.check(error: error) }
        return handler
    }

    /// - Returns: `nil` if the parser has stopped.
    private static func running(_ data: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<XMLCallbacks>? {
        guard let callbacks = data?.assumingMemoryBound(to: XMLCallbacks.self) else { return nil }
        return callbacks.pointee.context?.pointee.disableSAX == 0 ? callbacks : nil
    }
}

extension XMLCallbacks {
    private mutating func start(_ namespaces: LibXML2.Strings, _ attributes: LibXML2.Strings) {
        guard let position, let source = tagSource, source.count <= limits.tagBytes, !hasTooManyNamespaces,
            let tag = StartTag(source, namespaces, attributes, limit: limits.attributes)
        else { return stop() }
        // libxml2 stands before the `>` or `/>`.
        let end = position + (tag.isEmptyElement ? 2 : 1)
        if !events.elementStarted(events.target, tag, end) { stop() }
    }

    private var hasTooManyNamespaces: Bool {
        // `nsNr` counts prefixes and URIs.
        context.map { Int($0.pointee.nsNr) > 2 * Self.mostNamespaces } ?? true
    }

    /// The start tag before libxml2's position, from `<` up to but not including `>`. It contains no other `<`.
    private var tagSource: UnsafeBufferPointer<UInt8>? {
        guard let input = context?.pointee.input?.pointee, let base = input.base, let end = input.cur else {
            return nil
        }
        let length = end.pointee == UInt8(ascii: "/") ? 1 : 0
        guard end[length] == UInt8(ascii: ">") else { return nil }
        let passed = UnsafeBufferPointer(start: base, count: end - base)
        guard let start = ByteScan.lastIndex(of: UInt8(ascii: "<"), in: passed) else { return nil }
        return UnsafeBufferPointer(start: base + start, count: passed.count - start + length)
    }

    private mutating func end() {
        guard let position else { return stop() }
        events.elementEnded(events.target, position)
    }

    private mutating func read(_ text: UnsafePointer<UInt8>?, _ count: Int) {
        let text = UnsafeBufferPointer(start: text, count: count)
        // libxml2 passes each reference on as a piece of one character.
        guard count > 4 || !LibXML2.isReadAsAnother(text) else { return stop() }
        events.charactersRead(events.target, text)
    }

    /// As in HTML, `<!-->` and `<!--->` are complete comments for the repairer.
    private mutating func check(comment: UnsafePointer<UInt8>?) {
        guard let comment else { return }
        let first = comment[0] == UInt8(ascii: "-") ? comment[1] : comment[0]
        if first == UInt8(ascii: ">") { stop() }
    }

    /// Stops at a DOCTYPE with an internal subset, and at one whose identifiers contain characters that end it or
    /// begin a subset for the repairer.
    private mutating func check(declaration identifiers: [UnsafePointer<UInt8>?]) {
        let isSubset = context?.pointee.input?.pointee.cur?.pointee == UInt8(ascii: "[")
        let isStrange = identifiers.contains { identifier in
            LibXML2.bytes(identifier).contains { $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "[") }
        }
        guard isSubset || isStrange else { return }
        // Otherwise libxml2 would parse the declarations.
        xmlStopParser(context)
    }

    private mutating func check(error: UnsafePointer<xmlError>?) {
        guard let error else { return }
        tolerance -= 1
        if tolerance < 0 || !LibXML2.isTolerated(error.pointee) { stop() }
    }
}
