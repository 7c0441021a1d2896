// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A walk over the subframes of a FLAC frame, which finds the end of the frame if unknown bytes follow it. Source:
/// RFC 9639 section 9.2.
struct FLACSubframes {
    private var bits: BitReader
    private let blockSize: Int

    /// Returns the length of a frame in bytes, with its checksum, which it does not verify.
    /// - Parameter bytes: The frame and any bytes after it.
    /// - Returns: `nil` if a subframe is invalid or truncated.
    static func frameLength(
        _ header: FLACFrameHeader, in bytes: ArraySlice<UInt8>, _ info: FLACStreamInfo
    ) -> Int? {
        var walk = FLACSubframes(bits: BitReader(bytes), blockSize: header.blockSize)
        walk.bits.skip(24)
        let sideChannel = Self.sideChannel(walk.bits.read(4))
        walk.bits.skip(header.length * 8 - walk.bits.position)
        for channel in 0..<header.channels {
            // The difference of two channels has one more bit.
            guard walk.passSubframe(info.bitsPerSample + (channel == sideChannel ? 1 : 0)) else { return nil }
        }
        walk.bits.align()
        walk.bits.skip(16)
        return walk.bits.isExhausted ? nil : walk.bits.position / 8
    }

    /// Returns the channel that stores the difference of left and right; `nil` if none does. Source: RFC 9639 section
    /// 9.1.3.
    private static func sideChannel(_ assignment: Int) -> Int? {
        switch assignment {
        case 8, 10: 1
        case 9: 0
        default: nil
        }
    }

    /// - Returns: False if the subframe is invalid or truncated.
    private mutating func passSubframe(_ bitsPerSample: Int) -> Bool {
        let isPadded = bits.flag()
        let type = bits.read(6)
        let wasted = bits.flag() ? passUnary() + 1 : 0
        let width = bitsPerSample - wasted
        guard !isPadded, width > 0 else { return false }
        switch type {
        case 0: bits.skip(width)
        case 1: bits.skip(width * blockSize)
        case 8...12: return passFixed(order: type - 8, width)
        case 32...63: return passLinear(order: type - 31, width)
        default: return false
        }
        return !bits.isExhausted
    }

    private mutating func passFixed(order: Int, _ width: Int) -> Bool {
        bits.skip(order * width)
        return passResidual(order: order)
    }

    private mutating func passLinear(order: Int, _ width: Int) -> Bool {
        bits.skip(order * width)
        let precision = bits.read(4) + 1
        bits.skip(5 + order * precision)
        return precision < 16 && passResidual(order: order)
    }

    /// Passes the residual of a predictor. Source: RFC 9639 section 9.2.7.
    private mutating func passResidual(order: Int) -> Bool {
        let parameterLength = bits.read(2) + 4
        let partitions = 1 << bits.read(4)
        let samples = blockSize / partitions
        guard parameterLength <= 5, samples * partitions == blockSize, samples >= order else { return false }
        for partition in 0..<partitions {
            guard !bits.isExhausted else { return false }
            passPartition(partition == 0 ? samples - order : samples, parameterLength)
        }
        return !bits.isExhausted
    }

    private mutating func passPartition(_ samples: Int, _ parameterLength: Int) {
        let parameter = bits.read(parameterLength)
        // All ones: the samples are stored in a given number of bits.
        guard parameter + 1 < 1 << parameterLength else {
            let width = bits.read(5)
            return bits.skip(samples * width)
        }
        for _ in 0..<samples where !bits.isExhausted {
            _ = passUnary()
            bits.skip(parameter)
        }
    }

    /// Passes zeros and the one after them.
    /// - Returns: The number of zeros.
    private mutating func passUnary() -> Int {
        var zeros = 0
        while !bits.isExhausted, !bits.flag() { zeros += 1 }
        return zeros
    }
}
