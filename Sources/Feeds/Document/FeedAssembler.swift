// SPDX-License-Identifier: GPL-3.0-or-later

/// Turns what the XML parser reads into elements with their path, attributes and text, for the builder.
final class FeedAssembler: SAXReceiver {
    private(set) var builder: XMLFeedBuilder
    /// What cannot be read on: a root that no feed has.
    private(set) var failure: FeedError?

    private let baseURL: String?
    private var path = ElementPath()
    private var names: NameResolver
    private var capture: TextCapture
    /// The depth of the element whose text is captured.
    private var capturing: Int?
    /// The attributes of each element of the path, and the names of those inside a captured one.
    private var open: [(attributes: ElementAttributes, name: String)] = []

    init(baseURL: String?, limits: FeedLimits) {
        self.baseURL = baseURL
        builder = XMLFeedBuilder(baseURL: baseURL)
        names = NameResolver()
        capture = TextCapture(limit: limits.textBytes)
    }

    func elementStarted(_ name: SAXName, _ attributes: SAXAttributes) {
        let (element, local) = names.resolve(name, isRoot: path.isEmpty)
        let copied = attributes.fields.isEmpty ? ElementAttributes() : attributes.copied()
        if path.isEmpty, !element.isRoot { failure = .notAFeed(.unknownRoot(local)) }
        let base = copied["xml:base"].flatMap { WebURL.resolve($0, base: path.base ?? baseURL) }
        // The base of the one element that wraps a text is the text's.
        if capturing == path.depth, capture.isBlank { path.rebase(base) }
        path.push(capturing == nil ? element : .unknown, base: base)
        open.append((copied, local))
        if capturing != nil {
            capture.appendStart(local, copied)
        } else {
            begin(element, copied)
        }
    }

    func elementEnded() {
        guard let (attributes, name) = open.popLast() else { return }
        if capturing == nil {
            let isListened = path.element?.content == .childrenOrText
            builder.end(attributes, text: isListened ? capture.text : [], at: path)
        } else if capturing == path.depth {
            capturing = nil
            builder.end(attributes, text: capture.text, at: path)
            capture.reset()
        } else {
            capture.appendEnd(name)
        }
        path.pop()
    }

    func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>) {
        if capturing != nil || path.element?.content == .childrenOrText { capture.append(bytes) }
    }

    func takeEpisodes() -> [ParsedEpisode] {
        builder.takeEpisodes()
    }

    func finish() -> ParsedFeed? {
        builder.finish()
    }

    private func begin(_ element: FeedElement, _ attributes: ElementAttributes) {
        switch element.content {
        case .text:
            capturing = path.depth
            capture.reset(isMarkup: element.isTextConstruct && FeedText.Form(attributes) == .xhtml)
        case .childrenOrText: capture.reset()
        case .children: if element != .unknown { builder.begin(attributes, at: path) }
        case .attributes: break
        }
    }
}
