// SPDX-License-Identifier: GPL-3.0-or-later

/// Element names as libxml2 gives them to what they mean here.
struct NameResolver {
    /// libxml2 keeps one copy of each URI a document: the pointer tells it.
    private var namespaces: [(uri: UnsafePointer<UInt8>, namespace: FeedNamespace)] = []
    /// The prefix of a root `<x:rss>`: then RSS's own elements carry it too.
    private var rootPrefix: String?

    /// - Returns: the element, and its local name in lower case.
    mutating func resolve(_ name: SAXName, isRoot: Bool) -> (FeedElement, String) {
        let local = String(cString: name.local).lowercased()
        if isRoot { rootPrefix = local == "rss" ? name.prefix.map { String(cString: $0) } : nil }
        return (FeedElement(namespace(of: name), local), local)
    }

    private mutating func namespace(of name: SAXName) -> FeedNamespace {
        if let rootPrefix, let prefix = name.prefix, String(cString: prefix) == rootPrefix { return .plain }
        if let uri = name.uri {
            let namespace = namespace(uri)
            // The default namespace of a document that RSS knows nothing of.
            return namespace == .unknown && name.prefix == nil ? .plain : namespace
        }
        return name.prefix.map { FeedNamespace(prefix: String(cString: $0)) } ?? .plain
    }

    private mutating func namespace(_ uri: UnsafePointer<UInt8>) -> FeedNamespace {
        if let known = namespaces.first(where: { $0.uri == uri }) { return known.namespace }
        let namespace = FeedNamespace(uri: String(cString: uri))
        if namespaces.count < 64 { namespaces.append((uri, namespace)) }
        return namespace
    }
}
