// SPDX-License-Identifier: GPL-3.0-or-later

/// Conversions between integers and floats. Full scale is the same in both directions: an Int16 n is n ÷ 2¹⁵, an
/// Int32 n is n ÷ 2³¹, as in libmpg123 and libsndfile. Floats are rounded to the nearest integer (halves to the even
/// one) and clamped to the integer's range (so +1 becomes 2¹⁵ − 1); NaN becomes 0. An Int16 survives a round
/// trip through Float32, an Int32 only one through Float64, because a Float32 has 24 bits.
extension VectorOperations {
    /// Converts Int16 to Float32. vDSP: `vflt16` and a scale.
    @_noLocks @_noAllocation
    public static func convert(_ source: UnsafePointer<Int16>, to target: UnsafeMutablePointer<Float>, count: Int) {
        var index = 0
        while index < count {
            target[index] = Float(source[index]) * 0x1p-15
            index &+= 1
        }
    }

    /// Converts Int32 to Float32, rounded once, to 24 bits. vDSP: `vflt32` and a scale.
    @_noLocks @_noAllocation
    public static func convert(_ source: UnsafePointer<Int32>, to target: UnsafeMutablePointer<Float>, count: Int) {
        var index = 0
        while index < count {
            target[index] = Float(source[index]) * 0x1p-31
            index &+= 1
        }
    }

    /// Converts Float32 to Int16. vDSP: a scale, `vclip` and `vfixr16`.
    @_noLocks @_noAllocation
    public static func convert(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Int16>, count: Int) {
        var index = 0
        while index < count {
            let scaled = source[index] * 0x1p15
            let number = scaled == scaled ? scaled : 0
            let below = number > 32767 ? 32767 : number
            let inRange = below < -32768 ? -32768 : below
            // A sum this large has no fractional bits: the addition rounds, and the integer is in the lowest bits.
            target[index] = Int16(truncatingIfNeeded: Int32(bitPattern: (inRange + 0x1.8p23).bitPattern))
            index &+= 1
        }
    }

    /// Converts Float32 to Int32. vDSP: a scale, `vclip` and `vfixr32`.
    @_noLocks @_noAllocation
    public static func convert(_ source: UnsafePointer<Float>, to target: UnsafeMutablePointer<Int32>, count: Int) {
        var index = 0
        while index < count {
            target[index].fraction = Double(source[index])
            index &+= 1
        }
    }
}
