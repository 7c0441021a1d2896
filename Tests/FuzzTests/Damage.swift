// SPDX-License-Identifier: GPL-3.0-or-later

/// Inputs mutated from seeds as a fuzzer would mutate them, but without coverage feedback.
enum Damage {
    /// The maximum length of an input: enough for a few packets.
    private static let longest = 1500
    private static let numbers: [[UInt8]] = [
        [0xFF], [0], [0x7F], [0x80], [0xFF, 0xFF, 0xFF, 0xFF], [0x7F, 0xFF, 0xFF, 0xFF], [0x80, 0, 0, 0],
        [UInt8](repeating: 0xFF, count: 9), Array("9223372036854775807".utf8), Array("-1".utf8),
    ]

    static func any(of seeds: [[UInt8]], using generator: inout some RandomNumberGenerator) -> [UInt8] {
        var bytes = piece(of: seeds, using: &generator)
        if Int.random(in: 0..<4, using: &generator) == 0 { bytes += piece(of: seeds, using: &generator) }
        for _ in 0..<Int.random(in: 1...6, using: &generator) where !bytes.isEmpty {
            mutate(&bytes, using: &generator)
        }
        return Array(bytes.prefix(longest))
    }

    private static func piece(of seeds: [[UInt8]], using generator: inout some RandomNumberGenerator) -> [UInt8] {
        let seed = seeds.randomElement(using: &generator) ?? []
        guard seed.count > longest, Bool.random(using: &generator) else { return Array(seed.prefix(longest)) }
        return Array(seed.dropFirst(Int.random(in: 0..<seed.count - longest, using: &generator)).prefix(longest))
    }

    private static func mutate(_ bytes: inout [UInt8], using generator: inout some RandomNumberGenerator) {
        let place = Int.random(in: 0..<bytes.count, using: &generator)
        let end = min(bytes.count, place + Int.random(in: 1...60, using: &generator))
        switch Int.random(in: 0..<7, using: &generator) {
        case 0: bytes[place] = .random(in: .min ... .max, using: &generator)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 2: bytes.removeSubrange(place..<end)
        case 3: bytes.insert(contentsOf: bytes[place..<end], at: place)
        case 4: bytes.insert(contentsOf: numbers.randomElement(using: &generator) ?? [], at: place)
        case 5: for (index, byte) in (numbers.randomElement(using: &generator) ?? []).enumerated()
            where place + index < bytes.count { bytes[place + index] = byte }
        default: bytes.removeLast(bytes.count - place)
        }
    }
}
