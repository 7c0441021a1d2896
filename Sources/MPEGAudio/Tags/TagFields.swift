// SPDX-License-Identifier: GPL-3.0-or-later

/// A reader of consecutive big-endian fields in bytes that may be truncated.
struct TagFields {
    private(set) var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// Returns the next `count` bytes as a number; `nil` if fewer are left.
    mutating func number(_ count: Int) -> Int? {
        read(count).map { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    /// Returns the next `count` bytes; `nil` if fewer are left.
    mutating func read(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Returns the bytes before the next zero, which it skips; `nil` if there is none.
    mutating func terminated() -> ArraySlice<UInt8>? {
        guard let end = rest.firstIndex(of: 0) else { return nil }
        defer { rest = rest[(end + 1)...] }
        return rest[..<end]
    }
}
