// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Turns the markup reader's events into elements with their path, attributes and text, for the builder.
struct FeedAssembler: MarkupReceiver {
    private var builder: XMLFeedBuilder
    /// The error that ends parsing: a root element that is not a feed's.
    private(set) var failure: FeedError?

    private let baseURL: String?
    private let log: RepairLog
    private var path = ElementPath()
    private var names: NameResolver
    private var capture: TextCapture
    /// The depth of the element whose text is captured.
    private var capturing: Int?
    /// The attributes and the local names of the open elements, including those inside a captured one.
    private var open: [(attributes: ElementAttributes, name: String)] = []

    init(baseURL: String?, limits: FeedLimits, log: RepairLog) {
        self.baseURL = baseURL
        self.log = log
        builder = XMLFeedBuilder(baseURL: baseURL)
        names = NameResolver(log: log)
        capture = TextCapture(limit: limits.textBytes)
    }

    mutating func elementStarted(_ tag: StartTag) {
        let (element, local) = names.open(tag)
        let attributes = tag.attributes
        if path.isEmpty, !element.isRoot { failure = .notAFeed(.unknownRoot(local)) }
        let base = attributes["xml:base"].flatMap { WebURL.resolve($0, base: path.base ?? baseURL) }
        // The `xml:base` of a single element that wraps the text applies to the text.
        if capturing == path.depth, capture.isBlank { path.rebase(base) }
        path.push(capturing == nil ? element : .unknown, base: base)
        open.append((attributes, local))
        if capturing != nil {
            capture.appendStart(local, attributes)
        } else {
            begin(element, attributes)
        }
    }

    mutating func elementEnded() {
        guard let (attributes, name) = open.popLast() else { return }
        names.close()
        if capturing == nil {
            let isListened = path.element?.content == .childrenOrText
            builder.end(attributes, text: isListened ? capture.text : [], at: path)
        } else if capturing == path.depth {
            capturing = nil
            if log.isOpen { examine(capture.text) }
            builder.end(attributes, text: capture.text, at: path)
            capture.reset()
        } else {
            capture.appendEnd(name)
        }
        path.pop()
    }

    mutating func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>) {
        if capturing != nil || path.hasLooseText { capture.append(bytes) }
    }

    mutating func removeEpisodes() -> [ParsedEpisode] {
        builder.removeEpisodes()
    }

    mutating func finish(isWhole: Bool) -> ParsedFeed? {
        builder.finish(isWhole: isWhole)
    }

    private mutating func begin(_ element: FeedElement, _ attributes: ElementAttributes) {
        switch element.content {
        case .text:
            capturing = path.depth
            capture.reset(isMarkup: element.isTextConstruct && FeedText.Form(attributes) == .xhtml)
        case .childrenOrText: capture.reset()
        case .children: if element != .unknown { builder.begin(attributes, at: path) }
        case .attributes: break
        }
    }

    /// Notes malformed values that the builder ignores.
    private func examine(_ text: [UInt8]) {
        switch path.element {
        case .pubDate, .dcDate, .dcIssued, .dcModified, .atomPublished, .atomCreated, .atomUpdated:
            if !text.allSatisfy(ASCII.isSpace), RFC822Date.parse(text) == nil {
                log.note(.badDate(FeedRepair.quoted(ASCII.trimmed(text))))
            }
        default: break
        }
    }
}
