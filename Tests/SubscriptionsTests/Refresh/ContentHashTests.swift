// SPDX-License-Identifier: GPL-3.0-or-later
import Subscriptions
import Testing

@Suite("ContentHash")
struct ContentHashTests {
    private let bytes = (0..<1000).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 3 &+ 1) }

    private func hash(_ bytes: [UInt8], pieces: Int = .max) -> UInt64 {
        var hash = ContentHash()
        var rest = bytes[...]
        while !rest.isEmpty {
            let piece = rest.prefix(pieces)
            rest = rest.dropFirst(piece.count)
            piece.withUnsafeBytes { hash.append($0) }
        }
        return hash.value
    }

    @Test("The hash does not depend on the sizes of the pieces", arguments: [1, 2, 7, 15, 16, 17, 31, 32, 100, 999])
    func pieces(length: Int) {
        #expect(hash(bytes, pieces: length) == hash(bytes))
    }

    @Test("A changed bit, a missing byte and zeros at the end change the hash")
    func differences() {
        var seen: Set<UInt64> = [hash(bytes)]
        for index in bytes.indices {
            var other = bytes
            other[index] ^= 1 << (index % 8)
            #expect(seen.insert(hash(other)).inserted, "bit of byte \(index)")
            #expect(seen.insert(hash(Array(bytes[..<index]))).inserted, "first \(index) bytes")
            #expect(seen.insert(hash([UInt8](repeating: 0, count: index + 1))).inserted, "\(index + 1) zeros")
        }
    }

    @Test("Swapped blocks change the hash")
    func order() {
        let swapped = Array(bytes[16..<32] + bytes[..<16] + bytes[32...])
        #expect(hash(swapped) != hash(bytes))
    }
}
