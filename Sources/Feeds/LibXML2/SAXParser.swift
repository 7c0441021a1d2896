// SPDX-License-Identifier: GPL-3.0-or-later
import CXML2

/// What libxml2 reads, as it reads it. The pointers are valid during the call only.
protocol SAXReceiver: AnyObject {
    func elementStarted(_ name: SAXName, _ attributes: SAXAttributes)
    func elementEnded()
    /// A piece of text: UTF-8, split anywhere between characters.
    func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>)
}

/// libxml2's push parser with handlers of our own only: no tree, no DTD, no network, no entities but XML's five.
final class SAXParser {
    /// How it went so far.
    enum Health: Equatable {
        case sound
        /// libxml2 gave up; nothing more comes.
        case stopped(reason: String)
        case entityDeclared
    }

    private let context: xmlParserCtxtPtr
    /// Kept alive by the parser's owner, which outlives it.
    private unowned let receiver: any SAXReceiver
    private(set) var health: Health = .sound
    private var firstError: String?

    /// - Returns: nil where memory is short.
    init?(receiver: any SAXReceiver) {
        Self.libraryIsReady
        var handler = Self.handler
        guard let context = xmlCreatePushParserCtxt(&handler, nil, nil, 0, nil) else { return nil }
        self.context = context
        self.receiver = receiver
        // Never NOENT, DTDLOAD, XINCLUDE (local files) or HUGE (quadratic time).
        xmlCtxtUseOptions(context, Int32(XML_PARSE_RECOVER.rawValue | XML_PARSE_NONET.rawValue))
        context.pointee.userData = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        // An entity declaration, though refused, makes libxml2 begin a document.
        xmlFreeDoc(context.pointee.myDoc)
        xmlFreeParserCtxt(context)
    }

    func parse(_ bytes: [UInt8]) {
        guard health == .sound, !bytes.isEmpty else { return }
        bytes.withUnsafeBytes { parse($0.assumingMemoryBound(to: CChar.self), isLast: false) }
    }

    func finish() {
        guard health == .sound else { return }
        parse(UnsafeBufferPointer(start: nil, count: 0), isLast: true)
    }

    private func parse(_ bytes: UnsafeBufferPointer<CChar>, isLast: Bool) {
        xmlParseChunk(context, bytes.baseAddress, Int32(clamping: bytes.count), isLast ? 1 : 0)
        guard health == .sound, !isLast, context.pointee.disableSAX != 0 else { return }
        health = .stopped(reason: firstError ?? "unknown error")
    }

    private static let libraryIsReady: Void = xmlInitParser()
}

extension SAXParser {
    fileprivate static func from(_ pointer: UnsafeMutableRawPointer?) -> SAXParser? {
        pointer.map { Unmanaged<SAXParser>.fromOpaque($0).takeUnretainedValue() }
    }

    fileprivate func start(_ name: SAXName, _ attributes: SAXAttributes) {
        receiver.elementStarted(name, attributes)
    }

    fileprivate func end() {
        receiver.elementEnded()
    }

    fileprivate func read(_ bytes: UnsafeBufferPointer<UInt8>) {
        receiver.charactersRead(bytes)
    }

    fileprivate func refuseEntity() {
        health = .entityDeclared
        xmlStopParser(context)
    }

    fileprivate func note(_ message: String) {
        firstError = firstError ?? message
    }

    private static var handler: xmlSAXHandler {
        var handler = xmlSAXHandler()
        handler.initialized = UInt32(XML_SAX2_MAGIC)
        handler.startElementNs = startElement
        handler.endElementNs = { parser, _, _, _ in SAXParser.from(parser)?.end() }
        handler.characters = readCharacters
        // The same function, else libxml2 guesses which white space matters.
        handler.ignorableWhitespace = readCharacters
        handler.cdataBlock = readCharacters
        handler.entityDecl = { parser, _, _, _, _, _ in SAXParser.from(parser)?.refuseEntity() }
        handler.serror = noteError
        return handler
    }
}

private func startElement(
    _ parser: UnsafeMutableRawPointer?, _ local: UnsafePointer<xmlChar>?, _ prefix: UnsafePointer<xmlChar>?,
    _ uri: UnsafePointer<xmlChar>?, _: Int32, _: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, _ count: Int32,
    _: Int32, _ attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?
) {
    guard let parser = SAXParser.from(parser), let local else { return }
    parser.start(
        SAXName(local: local, prefix: prefix, uri: uri),
        SAXAttributes(fields: UnsafeBufferPointer(start: attributes, count: attributes == nil ? 0 : 5 * Int(count))))
}

private func readCharacters(_ parser: UnsafeMutableRawPointer?, _ bytes: UnsafePointer<xmlChar>?, _ count: Int32) {
    SAXParser.from(parser)?.read(UnsafeBufferPointer(start: bytes, count: bytes == nil ? 0 : Int(count)))
}

private func noteError(_ parser: UnsafeMutableRawPointer?, _ error: UnsafeMutablePointer<xmlError>?) {
    guard let error, error.pointee.level.rawValue >= XML_ERR_ERROR.rawValue, let message = error.pointee.message
    else { return }
    SAXParser.from(parser)?.note(String(cString: message).split(separator: "\n").joined(separator: " "))
}
