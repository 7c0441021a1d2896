// SPDX-License-Identifier: GPL-3.0-or-later

/// Element names as libxml2 gives them to what they mean here.
struct NameResolver {
    /// libxml2 keeps one copy of each URI a document: the pointer tells it.
    private var namespaces: [(uri: UnsafePointer<UInt8>, namespace: FeedNamespace)] = []
    /// What the root is called by means what the root is of, whatever it was bound to: `<x:rss>`, or an `<rss>` with
    /// a default namespace of something else.
    private var root: (prefix: String?, uri: UnsafePointer<UInt8>?, namespace: FeedNamespace)?

    /// - Returns: the element, and its local name in lower case.
    mutating func resolve(_ name: SAXName, isRoot: Bool) -> (FeedElement, String) {
        let local = String(cString: name.local).lowercased()
        if isRoot { adopt(name, local) }
        return (FeedElement(namespace(of: name), local), local)
    }

    private mutating func adopt(_ name: SAXName, _ local: String) {
        let prefix = name.prefix.map { String(cString: $0) }
        switch local {
        case "rss": root = (prefix, name.uri, .plain)
        case "feed": root = (prefix, name.uri, .atom)
        default: root = nil
        }
    }

    private mutating func namespace(of name: SAXName) -> FeedNamespace {
        if let root, root.uri == name.uri, root.prefix == name.prefix.map({ String(cString: $0) }) {
            return root.namespace
        }
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
