// SPDX-License-Identifier: GPL-3.0-or-later

/// The storage format of a sample. Full scale is ±1 for floats and the type's own range for integers.
public enum SampleType: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    case int16, int32, float32, float64

    /// The size of a sample in bytes.
    public var bytes: Int {
        @_noLocks @_noAllocation get {
            switch self {
            case .int16: 2
            case .int32, .float32: 4
            case .float64: 8
            }
        }
    }
}

/// The order of the bytes of a sample.
public enum ByteOrder: UInt8, Sendable, Hashable, CaseIterable, BitwiseCopyable {
    case littleEndian, bigEndian

    /// The byte order of this machine, which all computations use.
    public static var native: ByteOrder {
        @_noLocks @_noAllocation get { 1.littleEndian == 1 ? .littleEndian : .bigEndian }
    }
}
