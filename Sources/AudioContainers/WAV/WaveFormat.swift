// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The format of uncompressed sound in a file.
struct WaveFormat: Sendable, Equatable {
    /// The most accepted channels.
    private static let mostChannels = 64

    let encoding: PCMEncoding
    let sampleRate: Int
    let channels: Int
    /// `nil` selects the standard layout.
    let layout: ChannelLayout?

    var bytesPerFrame: Int { channels * encoding.bytesPerSample }
    var format: AudioFormat { AudioFormat(sampleRate: sampleRate, channels: channels, layout: layout) }

    init(
        _ encoding: PCMEncoding, sampleRate: Int, channels: Int, layout: ChannelLayout? = nil
    ) throws(MediaFailure) {
        guard AudioFormat.supportedRates.contains(sampleRate) else {
            throw MediaFailure(.badData, "a sample rate of \(sampleRate) Hz is not supported")
        }
        guard 1...Self.mostChannels ~= channels else {
            throw MediaFailure(.badData, "sound with \(channels) channels at \(sampleRate) Hz is not supported")
        }
        (self.encoding, self.sampleRate, self.channels, self.layout) = (encoding, sampleRate, channels, layout)
    }
}

/// The content of the chunk `fmt `: WAVEFORMATEX and WAVEFORMATEXTENSIBLE. Source: RFC 2361, mmreg.h.
struct WaveFormatChunk {
    /// The number of bytes that are used.
    static let longest = 40

    /// The number of the encoding.
    let tag: Int
    private let channels: Int
    private let sampleRate: Int
    private let byteRate: Int
    private let frameLength: Int
    private let bits: Int
    /// The loudspeakers; `nil` if the chunk does not contain them.
    private let mask: UInt32?

    private static let extensible = 0xFFFE
    /// The part of a GUID after the number of an encoding.
    private static let guidRest: [UInt8] = [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]

    /// - Returns: `nil` if the chunk is too short.
    init?(_ bytes: ArraySlice<UInt8>) {
        var fields = ByteFields(bytes)
        guard let tag = fields.number(2, .littleEndian), let channels = fields.number(2, .littleEndian),
            let sampleRate = fields.number(4, .littleEndian), let byteRate = fields.number(4, .littleEndian),
            let frameLength = fields.number(2, .littleEndian)
        else { return nil }
        (self.channels, self.sampleRate) = (channels, sampleRate)
        (self.byteRate, self.frameLength) = (byteRate, frameLength)
        // A plain WAVEFORMAT ends here; its samples have one byte if nothing else is stated.
        bits = fields.number(2, .littleEndian) ?? 8
        guard tag == Self.extensible, fields.bytes(4) != nil, let mask = fields.number(4, .littleEndian),
            let subtype = fields.number(2, .littleEndian), fields.bytes(14)?.elementsEqual(Self.guidRest) ?? false
        else {
            (self.tag, self.mask) = (tag, nil)
            return
        }
        (self.tag, self.mask) = (subtype, UInt32(truncatingIfNeeded: mask))
    }

    /// True for MPEG audio, Layers I to III. Source: RFC 2361 section A.24, A.25.
    var isMPEG: Bool { tag == 0x50 || tag == 0x55 }

    func format() throws(MediaFailure) -> WaveFormat {
        guard let encoding = PCMEncoding(waveFormatTag: tag, bytesPerSample: bytesPerSample) else {
            throw .unplayable("WAV with \(name)")
        }
        return try WaveFormat(encoding, sampleRate: sampleRate, channels: channels, layout: layout)
    }

    /// The size of a sample with its padding: by the length of a frame, unless a sample does not fit, and the byte rate
    /// confirms the sample.
    private var bytesPerSample: Int {
        let stated = (bits + 7) / 8
        guard channels > 0, frameLength > 0, frameLength.isMultiple(of: channels) else { return stated }
        let aligned = frameLength / channels
        return aligned < stated && byteRate == sampleRate * channels * stated ? stated : aligned
    }

    private var layout: ChannelLayout? {
        guard let mask else { return nil }
        if mask.nonzeroBitCount == channels { return ChannelLayout(rawValue: mask) }
        // Without a loudspeaker for each channel, three and more channels have no standard order.
        return channels > 2 ? [] : nil
    }

    private var name: String {
        switch tag {
        case 1, 3: "samples of \(bits) bits"
        case 0x02, 0x11: "ADPCM"
        case 0x31: "GSM 6.10"
        case 0x50, 0x55: "MPEG audio"
        case 0xFF, 0x1600...0x1610: "AAC"
        case 0x160...0x163: "Windows Media audio"
        case 0x2000: "AC-3"
        case 0x2001: "DTS"
        default: "the unknown encoding 0x\(String(tag, radix: 16))"
        }
    }
}
