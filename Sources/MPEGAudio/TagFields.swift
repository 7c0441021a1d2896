// SPDX-License-Identifier: GPL-3.0-or-later

/// Reads big-endian fields one after the other out of bytes that may end too soon.
struct TagFields {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) { rest = bytes }

    /// The next `count` bytes as a number; `nil` where fewer are left.
    mutating func number(_ count: Int) -> Int? {
        take(count).map { $0.reduce(0) { $0 << 8 | Int($1) } }
    }

    mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
        guard count >= 0, rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }
}
