// SPDX-License-Identifier: GPL-3.0-or-later

/// How one sample is stored. Full scale is ±1 for floats and the type's own range for integers.
public enum SampleType: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    case int16, int32, float32, float64

    public var bytes: Int {
        @_noLocks @_noAllocation get {
            switch self {
            case .int16: 2
            case .int32, .float32: 4
            case .float64: 8
            }
        }
    }

    public var isInteger: Bool { self == .int16 || self == .int32 }
}

/// Which byte of a sample comes first.
public enum ByteOrder: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    case littleEndian, bigEndian

    /// This machine's, in which alone is computed.
    public static var native: ByteOrder {
        @_noLocks @_noAllocation get { 1.littleEndian == 1 ? .littleEndian : .bigEndian }
    }
}
