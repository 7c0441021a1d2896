// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import EarshotTestSupport
import Media

/// PCM as the bits of each sample, channel by channel, with conversions of one sample at a time, as a reference for
/// the package's converters.
struct PlainPCM: Equatable {
    let format: AudioFormat
    /// The samples of each channel in this machine's byte order.
    var bits: [[UInt64]]

    init(format: AudioFormat, bits: [[UInt64]]) {
        self.format = format
        self.bits = bits
    }

    init(_ slice: AudioBufferSlice) {
        format = slice.format
        bits = (0..<slice.format.channels).map { channel in
            (0..<slice.frames).map { frame in
                let (plane, offset) = slice.place(channel, frame)
                let bytes = (0..<slice.format.sampleType.bytes).map {
                    plane.load(fromByteOffset: offset + $0, as: UInt8.self)
                }
                let first = slice.format.byteOrder == .bigEndian ? bytes : bytes.reversed()
                return first.reduce(0) { $0 << 8 | UInt64($1) }
            }
        }
    }

    /// Returns samples of all magnitudes, including values beyond full scale and non-finite floats.
    static func random(_ format: AudioFormat, frames: Int, using random: inout SeededGenerator) -> PlainPCM {
        PlainPCM(
            format: format,
            bits: (0..<format.channels).map { _ in
                (0..<frames).map { _ in
                    let size = Double(sign: .plus, exponent: Int.random(in: -40...1, using: &random), significand: 1)
                    let value = Double.random(in: -size...size, using: &random)
                    switch UInt8.random(in: 0..<64, using: &random) {
                    case 0: return Self.bits(of: .nan, format.sampleType)
                    case 1: return Self.bits(of: .infinity, format.sampleType)
                    case 2: return Self.bits(of: -1, format.sampleType)
                    case 3: return Self.bits(of: 1, format.sampleType)
                    default: return Self.bits(of: value, format.sampleType)
                    }
                }
            })
    }

    func list() -> AudioBufferList {
        let list = AudioBufferList(format: format, frameCapacity: bits.first?.count ?? 0)
        let size = format.sampleType.bytes
        for (channel, samples) in bits.enumerated() {
            for (frame, sample) in samples.enumerated() {
                let (plane, offset) = list.slice.place(channel, frame)
                for byte in 0..<size {
                    let place = format.byteOrder == .bigEndian ? size - 1 - byte : byte
                    let value = UInt8(truncatingIfNeeded: sample >> UInt64(8 * byte))
                    plane.storeBytes(of: value, toByteOffset: offset + place, as: UInt8.self)
                }
            }
        }
        return list
    }

    /// - Parameter matrix: `nil` leaves the channels unchanged.
    func converted(to target: AudioFormat, matrix: ChannelMatrix?) -> PlainPCM {
        let frames = bits[0].count
        let channels = (0..<target.channels).map { row in
            (0..<frames).map { frame in
                guard let matrix else { return converted(bits[row][frame], to: target.sampleType) }
                let heard = (0..<matrix.sources).filter { matrix[row, $0] != 0 }
                if heard.count == 1 && matrix[row, heard[0]] == 1 {
                    return converted(bits[heard[0]][frame], to: target.sampleType)
                }
                let sum = heard.reduce(0.0) {
                    $0 + Self.value(of: bits[$1][frame], format.sampleType) * matrix[row, $1]
                }
                return Self.bits(of: heard.isEmpty ? 0 : sum, target.sampleType)
            }
        }
        return PlainPCM(format: target, bits: channels)
    }

    private func converted(_ sample: UInt64, to type: SampleType) -> UInt64 {
        type == format.sampleType ? sample : Self.bits(of: Self.value(of: sample, format.sampleType), type)
    }

    static func value(of sample: UInt64, _ type: SampleType) -> Double {
        switch type {
        case .int16: Double(Int16(truncatingIfNeeded: sample)) / 32768
        case .int32: Double(Int32(truncatingIfNeeded: sample)) / 2_147_483_648
        case .float32: Double(Float(bitPattern: UInt32(sample)))
        case .float64: Double(bitPattern: sample)
        }
    }

    static func bits(of value: Double, _ type: SampleType) -> UInt64 {
        switch type {
        case .int16: UInt64(UInt16(bitPattern: Int16(integer(value * 32768, within: 32768))))
        case .int32: UInt64(UInt32(bitPattern: Int32(integer(value * 2_147_483_648, within: 2_147_483_648))))
        case .float32: UInt64(Float(value).bitPattern)
        case .float64: value.bitPattern
        }
    }

    private static func integer(_ value: Double, within limit: Double) -> Int {
        value.isNaN ? 0 : Int(min(limit - 1, max(-limit, value)).rounded(.toNearestOrEven))
    }
}
