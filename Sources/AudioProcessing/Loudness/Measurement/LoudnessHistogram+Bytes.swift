// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The encoding for storage: a version, both peaks, the measured steps, and both histograms as the number of their
/// first step and a count for it and each following step. Integers are varints. An hour of speech takes less than 1 KB.
extension LoudnessHistogram {
    private static let version: UInt8 = 1
    /// More than any encoding of less than ten days of audio has.
    private static let longest = 8192

    /// The encoding for storage.
    public var bytes: [UInt8] {
        var bytes = [Self.version, truePeakMagnitude == nil ? 0 : 1]
        bytes.append(varint: UInt64(samplePeakMagnitude.bitPattern))
        bytes.append(varint: UInt64((truePeakMagnitude ?? 0).bitPattern))
        bytes.append(varint: steps)
        for histogram in [blocks, shortTerm] {
            let first = histogram.counts.firstIndex { $0 > 0 } ?? 0
            let end = histogram.counts.lastIndex { $0 > 0 }.map { $0 + 1 } ?? 0
            bytes.append(varint: UInt64(first))
            bytes.append(varint: UInt64(end - first))
            for count in histogram.counts[first..<end] { bytes.append(varint: UInt64(count)) }
        }
        return bytes
    }

    /// Returns `nil` unless `bytes` is exactly the encoding of a possible measurement.
    public init?(bytes: [UInt8]) {
        guard bytes.count <= Self.longest, bytes.first == Self.version, bytes.count > 1 else { return nil }
        var reader = VarintReader(bytes.dropFirst(2))
        guard let samplePeak = reader.magnitude(), let truePeak = reader.magnitude(), let steps = reader.unsigned(),
            let blocks = reader.histogram(), let shortTerm = reader.histogram()
        else { return nil }
        self.init()
        (self.blocks, self.shortTerm, self.steps) = (blocks, shortTerm, steps)
        samplePeakMagnitude = samplePeak
        truePeakMagnitude = bytes[1] == 0 ? nil : truePeak
        // Each block ends at its own step. A second encoding of the same value is not accepted.
        guard blocks.blocks() <= steps, shortTerm.blocks() <= blocks.blocks(), self.bytes == bytes else { return nil }
    }
}

extension VarintReader {
    fileprivate mutating func magnitude() -> Float? {
        guard let pattern = unsigned().flatMap({ UInt32(exactly: $0) }) else { return nil }
        let magnitude = Float(bitPattern: pattern)
        return magnitude.isFinite && magnitude.sign == .plus ? magnitude : nil
    }

    fileprivate mutating func histogram() -> LevelHistogram? {
        guard let first = unsigned(), let count = unsigned(), first < LevelHistogram.steps,
            count <= UInt64(LevelHistogram.steps) - first
        else { return nil }
        var histogram = LevelHistogram()
        for step in Int(first)..<Int(first + count) {
            guard let blocks = unsigned().flatMap({ UInt32(exactly: $0) }) else { return nil }
            histogram.add(blocks, toStep: step)
        }
        return histogram
    }
}
