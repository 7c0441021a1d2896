// SPDX-License-Identifier: GPL-3.0-or-later

/// The encoding for storage: a version, both peaks, the measured steps, and both histograms as the number of their
/// first step and a count for it and each following step. Integers are variable-length, 7 bits to a byte, the lowest
/// first. An hour of speech takes less than 1 KB.
extension LoudnessHistogram {
    private static let version: UInt8 = 1
    /// More than any encoding of less than ten days of audio has.
    private static let longest = 8192

    /// The encoding for storage.
    public var bytes: [UInt8] {
        var bytes = [Self.version, truePeakMagnitude == nil ? 0 : 1]
        Self.append(UInt64(samplePeakMagnitude.bitPattern), to: &bytes)
        Self.append(UInt64((truePeakMagnitude ?? 0).bitPattern), to: &bytes)
        Self.append(steps, to: &bytes)
        for histogram in [blocks, shortTerm] {
            let first = histogram.counts.firstIndex { $0 > 0 } ?? 0
            let end = histogram.counts.lastIndex { $0 > 0 }.map { $0 + 1 } ?? 0
            Self.append(UInt64(first), to: &bytes)
            Self.append(UInt64(end - first), to: &bytes)
            for count in histogram.counts[first..<end] { Self.append(UInt64(count), to: &bytes) }
        }
        return bytes
    }

    /// Returns `nil` unless `bytes` is exactly the encoding of a possible measurement.
    public init?(bytes: [UInt8]) {
        guard bytes.count <= Self.longest, bytes.first == Self.version, bytes.count > 1 else { return nil }
        var rest = bytes.dropFirst(2)
        guard let samplePeak = Self.magnitude(&rest), let truePeak = Self.magnitude(&rest),
            let steps = Self.integer(&rest), let blocks = Self.histogram(&rest),
            let shortTerm = Self.histogram(&rest)
        else { return nil }
        self.init()
        (self.blocks, self.shortTerm, self.steps) = (blocks, shortTerm, steps)
        samplePeakMagnitude = samplePeak
        truePeakMagnitude = bytes[1] == 0 ? nil : truePeak
        // Each block ends at its own step. A second encoding of the same value is not accepted.
        guard blocks.blocks() <= steps, shortTerm.blocks() <= blocks.blocks(), self.bytes == bytes else { return nil }
    }

    private static func append(_ integer: UInt64, to bytes: inout [UInt8]) {
        var rest = integer
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func integer(_ bytes: inout ArraySlice<UInt8>) -> UInt64? {
        var integer: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 64, by: 7) {
            guard let byte = bytes.popFirst() else { return nil }
            integer |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return integer }
        }
        return nil
    }

    private static func magnitude(_ bytes: inout ArraySlice<UInt8>) -> Float? {
        guard let pattern = integer(&bytes).flatMap({ UInt32(exactly: $0) }) else { return nil }
        let magnitude = Float(bitPattern: pattern)
        return magnitude.isFinite && magnitude.sign == .plus ? magnitude : nil
    }

    private static func histogram(_ bytes: inout ArraySlice<UInt8>) -> LevelHistogram? {
        guard let first = integer(&bytes), let count = integer(&bytes), first < LevelHistogram.steps,
            count <= UInt64(LevelHistogram.steps) - first
        else { return nil }
        var histogram = LevelHistogram()
        for step in Int(first)..<Int(first + count) {
            guard let blocks = integer(&bytes).flatMap({ UInt32(exactly: $0) }) else { return nil }
            histogram.add(blocks, toStep: step)
        }
        return histogram
    }
}
