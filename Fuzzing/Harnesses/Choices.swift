// SPDX-License-Identifier: GPL-3.0-or-later

/// Random choices derived from the input's last bytes, which are repeated. So a plain file is a good seed, and a
/// mutation at its end changes the choices.
struct Choices {
    private static let most = 32
    private let bytes: [UInt8]
    private var place = 0

    init(_ input: UnsafeRawBufferPointer) { bytes = Array(input.suffix(Self.most)) }

    mutating func byte() -> UInt8 {
        guard !bytes.isEmpty else { return 0 }
        defer { place = (place + 1) % bytes.count }
        return bytes[place]
    }

    /// Returns a number in `0..<limit`, or 0 if that range is empty.
    mutating func index(below limit: Int) -> Int {
        let value = Int(byte()) << 8 | Int(byte())
        return limit > 0 ? value % limit : 0
    }

    /// Returns the length of the next piece: from one byte up to 4 kB.
    mutating func pieceLength() -> Int {
        let size = Int(byte())
        return 1 + size * size / 16
    }

    mutating func pick<Value>(_ values: [Value]) -> Value { values[index(below: values.count)] }

    /// Returns any integer; small ones and the ends of the range are more frequent.
    mutating func number() -> Int64 {
        switch byte() % 8 {
        case 0: Int64(byte())
        case 1: -Int64(byte())
        case 2: .max - Int64(byte())
        case 3: .min + Int64(byte())
        default: Int64(bitPattern: (0..<8).reduce(0) { value, _ in value << 8 | UInt64(byte()) }) >> Int64(byte() % 64)
        }
    }
}
