// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The storage of uncompressed or companded samples in a file.
public struct PCMEncoding: Sendable, Hashable {
    public enum Sample: Sendable, Hashable, CaseIterable {
        /// Offset binary, as in WAV: 128 is silence.
        case unsigned8
        case int8, int16, int24, int32, float32, float64
        /// ITU-T G.711.
        case aLaw, muLaw
    }

    public let sample: Sample
    /// Irrelevant for samples of one byte.
    public let byteOrder: ByteOrder

    public init(_ sample: Sample, _ byteOrder: ByteOrder = .littleEndian) {
        self.sample = sample
        self.byteOrder = byteOrder
    }

    /// Creates the encoding of a `fmt ` chunk; `nil` if it is unknown. Source: RFC 2361, and mmreg.h for 3.
    /// - Parameters:
    ///   - tag: `wFormatTag`; of WAVE_FORMAT_EXTENSIBLE (0xFFFE) the first two bytes of its `SubFormat`.
    ///   - bytesPerSample: the size of a sample with its padding: `nBlockAlign` ÷ `nChannels`. Fewer valid bits are
    ///     stored in the upper bits.
    public init?(waveFormatTag tag: Int, bytesPerSample: Int) {
        switch (tag, bytesPerSample) {
        case (1, 1): self.init(.unsigned8)
        case (1, 2): self.init(.int16)
        case (1, 3): self.init(.int24)
        case (1, 4): self.init(.int32)
        case (3, 4): self.init(.float32)
        case (3, 8): self.init(.float64)
        case (6, 1): self.init(.aLaw)
        case (7, 1): self.init(.muLaw)
        default: return nil
        }
    }

    /// The size of a sample in the file.
    public var bytesPerSample: Int {
        switch sample {
        case .unsigned8, .int8, .aLaw, .muLaw: 1
        case .int16: 2
        case .int24: 3
        case .int32, .float32: 4
        case .float64: 8
        }
    }
}
