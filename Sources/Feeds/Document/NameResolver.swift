// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Resolves qualified element names to `FeedElement`, with the namespaces in scope.
struct NameResolver {
    private struct Binding {
        /// Empty for the default namespace.
        let prefix: String
        let namespace: FeedNamespace
        /// The depth of the element that declares it.
        let depth: Int
    }

    /// The resolution of a name, valid until a namespace enters or leaves the scope.
    private struct Known {
        var name: [UInt8] = []
        var element = FeedElement.unknown
        /// The local name in lower case.
        var local = ""
    }

    private var bindings: [Binding] = []
    private var depth = 0
    /// The root's prefix and the namespace that the root's local name implies. It overrides the namespace declared
    /// there, as in `<x:rss>` or an `<rss>` with a foreign default namespace.
    private var root: (prefix: String, namespace: FeedNamespace)?
    private var known = [Known](repeating: Known(), count: Self.knownCount)
    private let log: RepairLog
    private static let knownCount = 64
    /// Documents declare about a dozen namespaces; thousands would be an attack on the lookup.
    private static let mostBindings = 128

    init(log: RepairLog) {
        self.log = log
    }

    /// Enters an element.
    ///
    /// - Returns: the element, and its local name in lower case.
    mutating func open(_ tag: StartTag) -> (FeedElement, String) {
        if !tag.namespaces.isEmpty { bind(tag.namespaces) }
        depth += 1
        let slot = Self.slot(of: tag.name)
        if !Self.isSame(tag.name, known[slot].name) { known[slot] = resolved(tag) }
        return (known[slot].element, known[slot].local)
    }

    /// Leaves the innermost element.
    mutating func close() {
        depth = max(0, depth - 1)
        guard let last = bindings.last, last.depth >= depth else { return }
        while let last = bindings.last, last.depth >= depth { bindings.removeLast() }
        forget()
    }

    private mutating func bind(_ namespaces: [(prefix: String, uri: String)]) {
        for (prefix, uri) in namespaces where bindings.count < Self.mostBindings {
            bindings.append(Binding(prefix: prefix, namespace: FeedNamespace(uri: uri), depth: depth))
        }
        forget()
    }

    private mutating func forget() {
        for slot in known.indices where !known[slot].name.isEmpty { known[slot] = Known() }
    }

    private mutating func resolved(_ tag: StartTag) -> Known {
        let local = ASCII.lowercasedString(tag.name[tag.localStart...])
        let prefix = String(decoding: tag.name.prefix(max(0, tag.localStart - 1)), as: UTF8.self)
        if depth == 1 { root = Self.namespace(ofRoot: local).map { (prefix, $0) } }
        return Known(name: Array(tag.name), element: FeedElement(namespace(prefix), local), local: local)
    }

    private static func namespace(ofRoot local: String) -> FeedNamespace? {
        switch local {
        case "rss": .plain
        case "feed": .atom
        default: nil
        }
    }

    private func namespace(_ prefix: String) -> FeedNamespace {
        let binding = bindings.last { $0.prefix == prefix }
        if let root, prefix == root.prefix, binding?.depth ?? 0 == 0 { return root.namespace }
        if let bound = binding?.namespace {
            // An unknown default namespace: read the names as RSS.
            return bound == .unknown && prefix.isEmpty ? .plain : bound
        }
        guard !prefix.isEmpty else { return .plain }
        if prefix != "xml" { log.note(.undeclaredPrefix(FeedRepair.quoted(prefix.utf8))) }
        return FeedNamespace(prefix: prefix)
    }

    private static func isSame(_ name: UnsafeBufferPointer<UInt8>, _ other: [UInt8]) -> Bool {
        guard name.count == other.count, let start = name.baseAddress else { return false }
        return memcmp(start, other, other.count) == 0
    }

    private static func slot(of name: UnsafeBufferPointer<UInt8>) -> Int {
        var hash: UInt32 = 2_166_136_261
        for byte in name { hash = (hash ^ UInt32(byte)) &* 16_777_619 }
        return Int((hash ^ hash >> 15) % UInt32(knownCount))
    }
}
