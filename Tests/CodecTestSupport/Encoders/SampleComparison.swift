// SPDX-License-Identifier: GPL-3.0-or-later
import Glibc

/// Returns true if both sequences are identical bit for bit.
func identical(_ one: some Collection<Float>, _ other: some Collection<Float>) -> Bool {
    guard one.count == other.count else { return false }
    let isSame = one.withContiguousStorageIfAvailable { one in
        other.withContiguousStorageIfAvailable { other in
            guard let first = one.baseAddress, let second = other.baseAddress else { return one.isEmpty }
            return memcmp(first, second, one.count * MemoryLayout<Float>.size) == 0
        }
    }
    return isSame == true
}

/// Returns the largest difference between two sequences; infinity if their lengths differ.
func difference(_ one: some Collection<Float>, _ other: some Collection<Float>) -> Float {
    one.count == other.count ? zip(one, other).reduce(0) { max($0, abs($1.0 - $1.1)) } : .infinity
}

/// An error of a fixture.
struct TestFailure: Error, CustomStringConvertible {
    let description: String
    init(_ description: String) { self.description = description }
}
