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
        /// The scope around that element.
        let outer: Int
    }

    /// The declarations of one element, with their meaning.
    private struct Declarations {
        let outer: Int
        let written: [(prefix: String, uri: String)]
        let namespaces: [FeedNamespace]
        /// The scope inside the element.
        let scope: Int
    }

    /// The resolution of a name, valid in one scope.
    private struct Known {
        var scope = 0
        var name: [UInt8] = []
        var element = FeedElement.unknown
        /// The local name in lower case.
        var local = ""
    }

    private var bindings: [Binding] = []
    /// The number of the namespaces in scope. The same number stands for the same bindings.
    private var scope = 0
    /// The last declarations, because the `div` around XHTML repeats them in each entry.
    private var last = Declarations(outer: 0, written: [], namespaces: [], scope: 0)
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
        if known[slot].scope != scope || !Self.isSame(tag.name, known[slot].name) { known[slot] = resolved(tag) }
        return (known[slot].element, known[slot].local)
    }

    /// Leaves the innermost element.
    mutating func close() {
        depth = max(0, depth - 1)
        while let last = bindings.last, last.depth >= depth {
            scope = last.outer
            bindings.removeLast()
        }
    }

    private mutating func bind(_ written: [(prefix: String, uri: String)]) {
        if last.outer != scope || !last.written.elementsEqual(written, by: ==) {
            last = Declarations(
                outer: scope, written: written, namespaces: written.map { FeedNamespace(uri: $0.uri) },
                scope: last.scope + 1)
        }
        for ((prefix, _), namespace) in zip(written, last.namespaces) where bindings.count < Self.mostBindings {
            bindings.append(Binding(prefix: prefix, namespace: namespace, depth: depth, outer: scope))
        }
        scope = last.scope
    }

    private mutating func resolved(_ tag: StartTag) -> Known {
        let local = ASCII.lowercasedString(tag.name[tag.localStart...])
        let prefix = String(decoding: tag.name.prefix(max(0, tag.localStart - 1)), as: UTF8.self)
        if depth == 1 { root = Self.namespace(ofRoot: local).map { (prefix, $0) } }
        return Known(
            scope: scope, name: Array(tag.name), element: FeedElement(namespace(prefix), local), local: local)
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
