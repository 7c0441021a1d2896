// SPDX-License-Identifier: GPL-3.0-or-later

/// The data of the contests: blocks that fit into the processor's L1 cache, filled with values that resemble audio.
struct Memory {
    static let frames = 1024
    static let samples = frames * 2

    let floats: UnsafeMutablePointer<Float>
    let more: UnsafeMutablePointer<Float>
    let planes: UnsafeMutablePointer<Float>
    let shorts: UnsafeMutablePointer<Int16>
    let longs: UnsafeMutablePointer<Int32>

    /// The memory is kept for the whole run.
    init() {
        floats = Self.made { Float(($0 * 7919) % 2003) / 1000 - 1 }
        more = Self.made { Float(($0 * 104_729) % 2003) / 1000 - 1 }
        planes = Self.made { Float($0 % 200) / 100 - 1 }
        shorts = Self.made { Int16(truncatingIfNeeded: $0 &* 7919) }
        longs = Self.made { Int32(truncatingIfNeeded: $0 &* 2_147_001_325) }
    }

    private static func made<Value>(_ value: (Int) -> Value) -> UnsafeMutablePointer<Value> {
        let memory = UnsafeMutablePointer<Value>.allocate(capacity: samples)
        for place in 0..<samples { (memory + place).initialize(to: value(place)) }
        return memory
    }
}
