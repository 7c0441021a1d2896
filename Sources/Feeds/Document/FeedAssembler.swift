// SPDX-License-Identifier: GPL-3.0-or-later

/// Turns what the XML parser reads into elements with their path, attributes and text, for the builder of the format
/// that the root element names.
final class FeedAssembler: SAXReceiver {
    private(set) var builder: (any FeedBuilder)?
    /// What cannot be read on: a format without a builder.
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
        names = NameResolver()
        capture = TextCapture(limit: limits.textBytes)
    }

    func elementStarted(_ name: SAXName, _ attributes: SAXAttributes) {
        let (element, local) = names.resolve(name, isRoot: path.isEmpty)
        let copied = attributes.fields.isEmpty ? ElementAttributes() : attributes.copied()
        if path.isEmpty { chooseBuilder(element, name: local) }
        let base = copied["xml:base"].flatMap { WebURL.resolve($0, base: path.base ?? baseURL) }
        path.push(capturing == nil ? element : .unknown, base: base)
        open.append((copied, local))
        if capturing != nil {
            capture.appendStart(local, copied)
        } else if element.content == .text {
            capturing = path.depth
            capture.reset()
        } else if element.content == .children {
            builder?.begin(copied, at: path)
        }
    }

    func elementEnded() {
        guard let (attributes, name) = open.popLast() else { return }
        if capturing == nil {
            builder?.end(attributes, text: [], at: path)
        } else if capturing == path.depth {
            capturing = nil
            builder?.end(attributes, text: capture.text, at: path)
        } else {
            capture.appendEnd(name)
        }
        path.pop()
    }

    func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>) {
        if capturing != nil { capture.append(bytes) }
    }

    func takeEpisodes() -> [ParsedEpisode] {
        builder?.takeEpisodes() ?? []
    }

    func finish() -> ParsedFeed? {
        builder?.finish()
    }

    private func chooseBuilder(_ root: FeedElement, name: String) {
        switch root {
        case .rss, .rdf: builder = RSSFeedBuilder(baseURL: baseURL)
        case .atomFeed: failure = .notAFeed(.unsupportedFormat("Atom"))
        default: failure = .notAFeed(.unknownRoot(name))
        }
    }
}
