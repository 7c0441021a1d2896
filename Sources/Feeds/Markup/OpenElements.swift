// SPDX-License-Identifier: GPL-3.0-or-later

/// The elements that are open, outermost first; answers which of them an end tag or an item's beginning closes.
struct OpenElements {
    private enum Role {
        case item
        /// A channel, or the root.
        case holder
        case other
    }

    /// All names, one behind the other.
    private var names: [UInt8] = []
    private var elements: [(nameStart: Int, role: Role)] = []
    /// Open elements beyond the limit of depth, which are not handed on.
    private var beyondLimit = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { elements.isEmpty }
    var depth: Int { elements.count }
    var hasRoom: Bool { elements.count < limit }

    /// - Returns: whether the element is handed on.
    mutating func open(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard hasRoom else {
            beyondLimit += 1
            return false
        }
        elements.append((names.count, Self.role(of: name)))
        names.append(contentsOf: name)
        return true
    }

    /// How deep the elements stand that hold items: a new item closes all below.
    var depthOfItems: Int {
        elements.lastIndex { $0.role == .holder }.map { $0 + 1 } ?? elements.count
    }

    /// An end tag closes its element and what is open inside. It closes nothing where no such element is open, or where
    /// only one outside the current item is: a stray end tag must not end the item.
    /// - Returns: the depth that is left; nil where nothing is closed.
    mutating func depth(closedBy name: UnsafeBufferPointer<UInt8>) -> Int? {
        if beyondLimit == 0, let last = elements.last, isSame(last.nameStart..<names.count, name) {
            return elements.count - 1
        }
        let role = Self.role(of: name)
        if beyondLimit > 0, role == .other {
            beyondLimit -= 1
            return elements.count
        }
        var end = names.count
        for index in elements.indices.reversed() {
            if isSame(elements[index].nameStart..<end, name) { return index }
            if role != .holder, elements[index].role == .item { return nil }
            end = elements[index].nameStart
        }
        return nil
    }

    /// - Returns: how many elements that closes.
    mutating func close(downTo depth: Int) -> Int {
        guard depth < elements.count else { return 0 }
        beyondLimit = 0
        let count = elements.count - depth
        names.removeSubrange(elements[depth].nameStart...)
        elements.removeSubrange(depth...)
        return count
    }

    mutating func closeAll() -> Int {
        close(downTo: 0)
    }

    /// For a report.
    var innermostName: String {
        elements.last.map { FeedRepair.quoted(names[$0.nameStart...]) } ?? ""
    }

    static func isItem(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        ASCII.equalsIgnoringCase(name, "item") || ASCII.equalsIgnoringCase(name, "entry")
    }

    private static func role(of name: UnsafeBufferPointer<UInt8>) -> Role {
        if isItem(name) { return .item }
        let start = name.lastIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? 0
        let local = UnsafeBufferPointer(rebasing: name[start...])
        let holders: [StaticString] = ["channel", "rss", "feed", "rdf"]
        return holders.contains { ASCII.equalsIgnoringCase(local, $0) } ? .holder : .other
    }

    private func isSame(_ range: Range<Int>, _ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard range.count == name.count else { return false }
        var offset = 0
        while offset < name.count {
            let (one, other) = (names[range.lowerBound + offset], name[offset])
            guard one == other || ASCII.lowercased(one) == ASCII.lowercased(other) else { return false }
            offset += 1
        }
        return true
    }
}
