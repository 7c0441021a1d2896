// SPDX-License-Identifier: GPL-3.0-or-later

/// The text form of sizes: `500MB`, `10 GB`, `1.5GiB`, `4096`.
enum ByteCountText {
    private static let units: [(name: String, bytes: Int64)] = [
        ("tb", 1_000_000_000_000), ("gb", 1_000_000_000), ("mb", 1_000_000), ("kb", 1000), ("tib", 1 << 40),
        ("gib", 1 << 30), ("mib", 1 << 20), ("kib", 1 << 10), ("t", 1_000_000_000_000), ("g", 1_000_000_000),
        ("m", 1_000_000), ("k", 1000), ("b", 1), ("", 1),
    ]
    /// A thousand terabytes; a larger size is a typing error.
    private static let most: Int64 = 1_000_000_000_000_000
    private static let mostDecimals = 3

    /// Parses a size.
    /// - Returns: `nil` if the text is not a size.
    static func bytes(_ text: String) -> Int64? {
        let text = text.lowercased().filter { $0 != " " }
        let number = text.prefix { "0"..."9" ~= $0 || $0 == "." }
        guard let unit = units.first(where: { $0.name == text.dropFirst(number.count) })?.bytes else { return nil }
        let parts = number.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = Int64(parts[0]), whole <= most / unit else { return nil }
        guard parts.count == 2 else { return whole * unit }
        guard (1...mostDecimals).contains(parts[1].count), let rest = Int64(parts[1]) else { return nil }
        let scale = (0..<parts[1].count).reduce(Int64(1)) { scale, _ in scale * 10 }
        return whole * unit + rest * unit / scale
    }

    /// Returns the size in the largest unit that divides it without remainder.
    static func text(_ bytes: Int64) -> String {
        guard bytes > 0 else { return "0B" }
        let unit = units.first { $0.name.count >= 2 && bytes % $0.bytes == 0 }
        return unit.map { "\(bytes / $0.bytes)\($0.name.uppercased().replacing("I", with: "i"))" } ?? "\(bytes)B"
    }
}
