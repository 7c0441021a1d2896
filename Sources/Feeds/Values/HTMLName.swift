// SPDX-License-Identifier: GPL-3.0-or-later

/// The name of an element or attribute of HTML, in lower case: its bytes as a number. None of HTML's own has more than
/// 16; of a longer one the beginning counts.
struct HTMLName: Hashable, ExpressibleByStringLiteral {
    private var high: UInt64 = 0
    private var low: UInt64 = 0

    init(_ name: some Sequence<UInt8>) {
        for byte in name where high >> 56 == 0 {
            high = high << 8 | low >> 56
            low = low << 8 | UInt64(ASCII.lowercased(byte))
        }
    }

    init(stringLiteral name: StaticString) {
        self.init(UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
    }

    /// Spreads names over the places of a table.
    fileprivate var hash: UInt64 { (low ^ high &* 31) &* 0x9E37_79B9_7F4A_7C15 }

    /// Whether a namespace's prefix stands in front of it.
    var isPrefixed: Bool {
        ByteScan.hits(of: UInt8(ascii: ":"), in: high) | ByteScan.hits(of: UInt8(ascii: ":"), in: low) != 0
    }

    func append(to output: inout [UInt8]) {
        append(high, to: &output)
        append(low, to: &output)
    }

    /// The first byte is the highest that is not zero.
    private func append(_ word: UInt64, to output: inout [UInt8]) {
        guard word != 0 else { return }
        let blanks = word.leadingZeroBitCount / 8
        withUnsafeBytes(of: (word << UInt64(blanks * 8)).bigEndian) { output.append(contentsOf: $0.prefix(8 - blanks)) }
    }
}

/// What is known of names: a small hash table without deletion, quicker here than a dictionary.
struct HTMLNameTable<Value: Sendable>: Sendable {
    private var places = [(name: HTMLName, value: Value)?](repeating: nil, count: 512)

    init() {}

    init(_ names: [HTMLName], _ value: Value) {
        for name in names { set(name, value) }
    }

    /// For at most 256 names.
    mutating func set(_ name: HTMLName, _ value: Value) {
        places[place(of: name)] = (name, value)
    }

    subscript(_ name: HTMLName) -> Value? {
        places[place(of: name)]?.value
    }

    /// Where the name stands, or would.
    private func place(of name: HTMLName) -> Int {
        var place = Int(name.hash >> 55)
        while let other = places[place]?.name, other != name { place = (place + 1) & 511 }
        return place
    }
}
