// SPDX-License-Identifier: GPL-3.0-or-later

/// The name of an HTML element or attribute in lower case, packed into 16 bytes. HTML's own names fit; longer names
/// are truncated.
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

    /// A hash that spreads the names over the slots of a table.
    fileprivate var hash: UInt64 { (low ^ high &* 31) &* 0x9E37_79B9_7F4A_7C15 }

    /// True if the name has a namespace prefix.
    var isPrefixed: Bool {
        ByteScan.hits(of: UInt8(ascii: ":"), in: high) | ByteScan.hits(of: UInt8(ascii: ":"), in: low) != 0
    }

    func append(to output: inout [UInt8]) {
        append(high, to: &output)
        append(low, to: &output)
    }

    /// Appends the bytes of a word, from the highest that is not zero.
    private func append(_ word: UInt64, to output: inout [UInt8]) {
        guard word != 0 else { return }
        var rest = word << UInt64(word.leadingZeroBitCount & ~7)
        while rest != 0 {
            output.append(UInt8(truncatingIfNeeded: rest >> 56))
            rest <<= 8
        }
    }
}

/// A small hash table by name, without deletion; faster here than a dictionary.
struct HTMLNameTable<Value: Sendable>: Sendable {
    private var places = [(name: HTMLName, value: Value)?](repeating: nil, count: 512)

    init() {}

    init(_ names: [HTMLName], _ value: Value) {
        for name in names { set(name, value) }
    }

    /// Stores a value. The table is for at most 256 names.
    mutating func set(_ name: HTMLName, _ value: Value) {
        places[place(of: name)] = (name, value)
    }

    subscript(_ name: HTMLName) -> Value? {
        places[place(of: name)]?.value
    }

    /// Returns the slot of the name, or the free slot for it.
    private func place(of name: HTMLName) -> Int {
        var place = Int(name.hash >> 55)
        while let other = places[place]?.name, other != name { place = (place + 1) & 511 }
        return place
    }
}
