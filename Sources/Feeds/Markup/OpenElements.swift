// SPDX-License-Identifier: GPL-3.0-or-later

/// The open elements, outermost first. It determines the elements that an end tag or a new item closes.
struct OpenElements {
    private enum Role {
        case item
        /// A channel, or the root.
        case holder
        case other
    }

    /// All names, concatenated.
    private var names: [UInt8] = []
    private var elements: [(nameStart: Int, role: Role)] = []
    /// The number of open elements beyond the depth limit, which the receiver does not get.
    private var beyondLimit = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { elements.isEmpty }
    var depth: Int { elements.count }
    var hasRoom: Bool { elements.count < limit }

    /// - Returns: true if the receiver gets the element.
    mutating func open(_ name: UnsafeBufferPointer<UInt8>) -> Bool {
        guard hasRoom else {
            beyondLimit += 1
            return false
        }
        elements.append((names.count, Self.role(of: name)))
        names.append(contentsOf: name)
        return true
    }

    /// The depth of the innermost channel or root. A new item closes all elements below it.
    var depthOfItems: Int {
        elements.lastIndex { $0.role == .holder }.map { $0 + 1 } ?? elements.count
    }

    /// Returns the depth after an end tag, which closes its element and everything open inside it. It closes nothing
    /// if no such element is open or if the only one is outside the current item: a stray end tag must not end the
    /// item.
    ///
    /// - Returns: the remaining depth; `nil` if nothing is closed.
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

    /// - Returns: the number of elements closed.
    mutating func close(downTo depth: Int) -> Int {
        guard depth < elements.count else { return 0 }
        beyondLimit = 0
        let count = elements.count - depth
        names.removeLast(names.count - elements[depth].nameStart)
        elements.removeLast(count)
        return count
    }

    /// True if an item is open.
    var hasItem: Bool { elements.contains { $0.role == .item } }

    mutating func closeAll() -> Int {
        close(downTo: 0)
    }

    /// The innermost element's name, for a report.
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
