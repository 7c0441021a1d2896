// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import Media

extension PCMEncoding {
    /// The type to which `widen` converts: that of the file if `SampleConverter` reads it, otherwise a wider one.
    var widened: (type: SampleType, byteOrder: ByteOrder) {
        switch sample {
        case .unsigned8, .int8, .aLaw, .muLaw: (.int16, .native)
        case .int16: (.int16, byteOrder)
        case .int24: (.int32, .native)
        case .int32: (.int32, byteOrder)
        case .float32: (.float32, byteOrder)
        case .float64: (.float64, byteOrder)
        }
    }

    /// Converts samples to the widened type without a change of their values.
    /// - Parameters:
    ///   - source: has at least `count` samples.
    ///   - target: aligned, with space for `count` samples.
    func widen(_ source: UnsafeRawBufferPointer, count: Int, to target: UnsafeMutableRawPointer) {
        switch sample {
        case .int16, .int32, .float32, .float64:
            UnsafeMutableRawBufferPointer(start: target, count: count * bytesPerSample)
                .copyMemory(from: UnsafeRawBufferPointer(rebasing: source[..<(count * bytesPerSample)]))
        case .unsigned8: widen(source, count, target) { Int16(bitPattern: UInt16($0 ^ 0x80) << 8) }
        case .int8: widen(source, count, target) { Int16(bitPattern: UInt16($0) << 8) }
        case .aLaw: expand(source, count, target, Companding.aLaw)
        case .muLaw: expand(source, count, target, Companding.muLaw)
        case .int24: widen24(source, count, target)
        }
    }

    private func expand(
        _ source: UnsafeRawBufferPointer, _ count: Int, _ target: UnsafeMutableRawPointer, _ table: [Int16]
    ) {
        table.withUnsafeBufferPointer { table in widen(source, count, target) { table[Int($0)] } }
    }

    @inline(__always)
    private func widen(
        _ source: UnsafeRawBufferPointer, _ count: Int, _ target: UnsafeMutableRawPointer, _ value: (UInt8) -> Int16
    ) {
        let target = target.assumingMemoryBound(to: Int16.self)
        for index in 0..<count { target[index] = value(source[index]) }
    }

    /// Puts the 24 bits above a byte of zeros.
    private func widen24(_ source: UnsafeRawBufferPointer, _ count: Int, _ target: UnsafeMutableRawPointer) {
        let target = target.assumingMemoryBound(to: UInt32.self)
        let (low, high) = byteOrder == .littleEndian ? (0, 2) : (2, 0)
        for index in 0..<count {
            let (first, middle, last) = (source[3 * index + low], source[3 * index + 1], source[3 * index + high])
            target[index] = UInt32(first) << 8 | UInt32(middle) << 16 | UInt32(last) << 24
        }
    }
}

/// The values of companded samples at 16 bits. Source: ITU-T G.711.
private enum Companding {
    /// A sign, three bits of a segment, and four bits within it; every second bit is inverted. 13 bits are
    /// significant.
    static let aLaw: [Int16] = (0..<256).map { code in
        let bits = code ^ 0x55
        let (segment, step) = (bits >> 4 & 7, bits & 15)
        let magnitude = segment == 0 ? step << 4 | 8 : (step << 4 | 0x108) << (segment - 1)
        return Int16(bits & 0x80 != 0 ? magnitude : -magnitude)
    }

    /// As A-law, with all bits inverted and a bias. 14 bits are significant.
    static let muLaw: [Int16] = (0..<256).map { code in
        let bits = ~code & 0xFF
        let (segment, step) = (bits >> 4 & 7, bits & 15)
        let magnitude = (step << 3 | 0x84) << segment - 0x84
        return Int16(bits & 0x80 != 0 ? -magnitude : magnitude)
    }
}
