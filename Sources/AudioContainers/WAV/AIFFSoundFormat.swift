// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The content of the chunk `COMM` of AIFF and AIFF-C. Sources: AIFF 1.3, AIFF-C draft of 1991.
struct AIFFSoundFormat {
    /// The number of bytes that are used.
    static let longest = 22

    /// The number of PCM frames.
    let frames: Int64
    private let channels: Int
    private let bits: Int
    private let sampleRate: Int
    /// Four letters in AIFF-C.
    private let compression: String?

    /// - Returns: `nil` if the chunk is too short.
    init?(_ bytes: ArraySlice<UInt8>, isAIFFC: Bool) {
        var fields = ByteFields(bytes)
        guard let channels = fields.number(2), let frames = fields.number(4),
            let bits = fields.number(2), let exponent = fields.number(2),
            let mantissa = fields.wideNumber(8)
        else { return nil }
        (self.channels, self.frames, self.bits) = (channels, Int64(frames), bits)
        sampleRate = Self.integer(exponent: exponent, mantissa: mantissa)
        guard isAIFFC else {
            compression = nil
            return
        }
        guard let letters = fields.bytes(4) else { return nil }
        compression = String(decoding: letters, as: UTF8.self)
    }

    func format() throws(MediaFailure) -> WaveFormat {
        guard let encoding else {
            let name = compression.map { "the encoding \"\($0)\"" } ?? "samples of \(bits) bits"
            throw .unplayable("AIFF with \(name)")
        }
        return try WaveFormat(encoding, sampleRate: sampleRate, channels: channels)
    }

    private var encoding: PCMEncoding? {
        switch compression {
        case nil, "NONE", "twos", "in24", "in32": integers(.bigEndian)
        case "sowt": integers(.littleEndian)
        case "raw ": PCMEncoding(.unsigned8)
        case "fl32", "FL32": PCMEncoding(.float32, .bigEndian)
        case "fl64", "FL64": PCMEncoding(.float64, .bigEndian)
        case "alaw", "ALAW": PCMEncoding(.aLaw)
        case "ulaw", "ULAW": PCMEncoding(.muLaw)
        default: nil
        }
    }

    private func integers(_ order: ByteOrder) -> PCMEncoding? {
        switch (bits + 7) / 8 {
        case 1: PCMEncoding(.int8)
        case 2: PCMEncoding(.int16, order)
        case 3: PCMEncoding(.int24, order)
        case 4: PCMEncoding(.int32, order)
        default: nil
        }
    }

    /// Returns the integer part of an 80-bit number of IEEE 754; 0 if it is negative or above 2³¹.
    private static func integer(exponent: Int, mantissa: UInt64) -> Int {
        let shift = 63 - (exponent - 16383)
        return 32...63 ~= shift ? Int(mantissa >> UInt64(shift)) : 0
    }
}
