// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// Builds a list of feeds from the elements of OPML.
struct OPMLReceiver: MarkupReceiver {
    private enum Element {
        case group(String)
        case head, title, other
    }

    private(set) var list = OPML(entries: [])
    /// An outline with a feed, whose line is not known yet.
    private var pending: (title: String?, address: [UInt8])?
    private var open: [Element] = []
    private var headTitle = TextCapture(limit: 4_096)
    /// The line of each feed, by the key of its address.
    private var lines: [String: Int] = [:]
    /// The maximum number of entries, and of refusals.
    private static let most = 50_000
    /// In characters.
    private static let longestTitle = 500

    mutating func elementStarted(_ tag: StartTag) {
        let local = tag.localName
        if ASCII.equalsIgnoringCase(local, "outline") {
            open.append(outline(tag.attributes))
        } else if ASCII.equalsIgnoringCase(local, "head") {
            open.append(.head)
        } else if ASCII.equalsIgnoringCase(local, "title"), case .head? = open.last {
            open.append(.title)
        } else {
            open.append(.other)
        }
    }

    mutating func elementEnded() {
        if case .title? = open.popLast() { list.title = list.title ?? Self.line(headTitle.text) }
    }

    mutating func charactersRead(_ bytes: UnsafeBufferPointer<UInt8>) {
        if case .title? = open.last { headTitle.append(bytes) }
    }

    var awaitsLine: Bool { pending != nil }

    mutating func place(at line: Int) {
        guard let (title, address) = pending else { return }
        pending = nil
        switch FeedAddress.judge(address) {
        case .failure(let refusal): refuse(refusal.reason, title ?? Self.line(address), at: line)
        case .success(let url):
            let key = NormalizedURL(url).withoutScheme
            if let first = lines[key] { return refuse(.duplicate(line: first), title ?? url, at: line) }
            guard list.entries.count < Self.most else { return }
            lines[key] = line
            // A title that only repeats the address is dropped.
            let isSaid = title == url || title == Self.line(Array(url.utf8))
            list.entries.append(OPML.Entry(title: isSaid ? nil : title, url: url, group: groups))
        }
    }

    private mutating func outline(_ attributes: ElementAttributes) -> Element {
        let title = ["text", "title"].lazy.compactMap { attributes[$0].flatMap(Self.line) }.first
        let type = attributes["type"].map { ASCII.lowercasedString(ASCII.trimmed($0)) } ?? ""
        let address = attributes["xmlurl"] ?? attributes["feedurl"] ?? (type == "include" ? nil : attributes["url"])
        guard address != nil || ["rss", "rss1", "atom", "podcast"].contains(type) else {
            // The outline may mean a podcast, but has only the address of its web page.
            let page = attributes["htmlurl"].flatMap(Self.line)
            if let page { pending = (title ?? page, []) }
            return title.map(Element.group) ?? .other
        }
        pending = (title, address ?? [])
        return .other
    }

    private var groups: [String] {
        open.compactMap { if case .group(let name) = $0 { name } else { nil } }
    }

    private mutating func refuse(_ reason: OPML.Refusal.Reason, _ text: String?, at line: Int) {
        guard list.refused.count < Self.most else { return }
        list.refused.append(OPML.Refusal(line: line, excerpt: String((text ?? "").prefix(80)), reason: reason))
    }

    /// Returns the text on one line with white space collapsed. The markup reader has already decoded its references.
    private static func line(_ text: [UInt8]) -> String? {
        var words = PlainWords()
        text.withUnsafeBufferPointer { words.append($0) }
        guard !words.isEmpty else { return nil }
        let line = String(decoding: words.bytes, as: UTF8.self)
        return line.utf8.count <= longestTitle ? line : String(line.prefix(longestTitle))
    }
}
