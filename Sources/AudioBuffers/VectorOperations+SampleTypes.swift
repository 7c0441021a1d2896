// SPDX-License-Identifier: GPL-3.0-or-later

/// Integers and floats. Full scale is the same both ways: an Int16 n is n ÷ 2¹⁵, an Int32 n is n ÷ 2³¹, as libmpg123
/// and libsndfile read them. Floats are rounded to the nearest integer (halves to the even one), saturate at the ends
/// of its range (so +1 becomes 2¹⁵ − 1), and what is not a number becomes 0. Every Int16 comes back from Float32 as it
/// was, an Int32 from Float64 only: a Float32 has 24 bits.
extension VectorOperations {
    /// vDSP: `vflt16` and a scale.
    @_noLocks @_noAllocation
    public static func convert(_ source: UnsafePointer<Int16>, to target: UnsafeMutablePointer<Float>, count: Int) {
        var index = 0
        while index < count {
            target[index] = Float(source[index]) * 0x1p-15
            index &+= 1
        }
    }

    /// Rounded once, to 24 bits. vDSP: `vflt32` and a scale.
    @_noLocks @_noAllocation
    public static func convert(_ source: UnsafePointer<Int32>, to target: UnsafeMutablePointer<Float>, count: Int) {
        var index = 0
        while index < count {
            target[index] = Float(source[index]) * 0x1p-31
            index &+= 1
        }
    }

    /// vDSP: a scale, `vclip` and `vfixr16`.
    @_noLocks @_noAllocation
    public static func convert(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Int16>, count: Int) {
        var index = 0
        while index < count {
            let scaled = source[index] * 0x1p15
            let number = scaled == scaled ? scaled : 0
            let below = number > 32767 ? 32767 : number
            let inRange = below < -32768 ? -32768 : below
            // So large a sum has no bits behind the point: adding rounds, and the integer stands in the lowest bits.
            target[index] = Int16(truncatingIfNeeded: Int32(bitPattern: (inRange + 0x1.8p23).bitPattern))
            index &+= 1
        }
    }

    /// vDSP: a scale, `vclip` and `vfixr32`.
    @_noLocks @_noAllocation
    public static func convert(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Int32>, count: Int) {
        var index = 0
        while index < count {
            target[index].fraction = Double(source[index])
            index &+= 1
        }
    }
}
