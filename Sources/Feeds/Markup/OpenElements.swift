// SPDX-License-Identifier: GPL-3.0-or-later

/// The elements that are open in the repaired document, outermost first; answers which of them an end tag or an item's
/// beginning closes.
struct OpenElements {
    private var names: [[UInt8]] = []
    /// Open elements beyond the limit of depth, which are not handed on.
    private var beyondLimit = 0
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    var isEmpty: Bool { names.isEmpty }
    var depth: Int { names.count }

    /// - Returns: whether the element is handed on.
    mutating func open(_ name: ArraySlice<UInt8>) -> Bool {
        guard names.count < limit else {
            beyondLimit += 1
            return false
        }
        names.append(Array(name))
        return true
    }

    /// A new item closes whatever is open below the channel.
    /// - Returns: the names to close, innermost first.
    mutating func closeBeforeItem() -> [[UInt8]] {
        beyondLimit = 0
        let kept = names.lastIndex(where: Self.holdsItems).map { $0 + 1 } ?? names.count
        return close(downTo: kept)
    }

    /// An end tag closes its element and what is open inside. It closes nothing where no such element is open, or where
    /// only one outside the current item is: a stray end tag must not end the item.
    mutating func close(_ name: ArraySlice<UInt8>) -> [[UInt8]] {
        if beyondLimit > 0, !Self.isItem(name), !Self.holdsItems(Array(name)) {
            beyondLimit -= 1
            return []
        }
        let mayLeaveItem = Self.holdsItems(Array(name))
        for index in names.indices.reversed() {
            if Self.isSame(names[index], name) {
                beyondLimit = 0
                return close(downTo: index)
            }
            if !mayLeaveItem, Self.isItem(names[index][...]) { return [] }
        }
        return []
    }

    mutating func closeAll() -> [[UInt8]] {
        close(downTo: 0)
    }

    static func isItem(_ name: ArraySlice<UInt8>) -> Bool {
        ASCII.equalsIgnoringCase(name, "item") || ASCII.equalsIgnoringCase(name, "entry")
    }

    private mutating func close(downTo count: Int) -> [[UInt8]] {
        let closed = names[count...].reversed()
        names.removeSubrange(count...)
        return Array(closed)
    }

    private static func holdsItems(_ name: [UInt8]) -> Bool {
        let local = name.lastIndex(of: UInt8(ascii: ":")).map { name[($0 + 1)...] } ?? name[...]
        return ASCII.equalsIgnoringCase(local, "channel") || ASCII.equalsIgnoringCase(local, "rss")
            || ASCII.equalsIgnoringCase(local, "feed") || ASCII.equalsIgnoringCase(local, "rdf")
    }

    private static func isSame(_ open: [UInt8], _ name: ArraySlice<UInt8>) -> Bool {
        open.count == name.count && zip(open, name).allSatisfy { ASCII.lowercased($0) == ASCII.lowercased($1) }
    }
}
