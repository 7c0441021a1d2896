// SPDX-License-Identifier: GPL-3.0-or-later

/// Writes wave files of every kind with noise.
struct WaveWriter {
    enum Kind: CaseIterable { case riff, extensible, rf64, wave64, aiff, aiffC }

    var kind = Kind.riff
    var tag = 1
    var channels = 2
    /// The declared rate; AIFF has 44,100 Hz.
    var sampleRate = 44_100
    var bytesPerSample = 2
    var frames = 10_000
    /// The declared length of the sound; `nil` declares the right one.
    var declaredLength: UInt32?
    /// True if the sound of AIFF precedes its format.
    var isSoundFirst = false
    /// Chunks before and after the sound.
    var before: [(String, [UInt8])] = []
    var after: [(String, [UInt8])] = []

    var sound: [UInt8] { .noise(frames * channels * bytesPerSample, 9) }

    static func chunk(_ name: String, _ content: [UInt8], length: UInt32? = nil) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: content.count % 2)
        return Array(name.utf8) + (length ?? UInt32(content.count)).littleEndianBytes + content + padding
    }

    static func bigChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let padding = [UInt8](repeating: 0, count: content.count % 2)
        return Array(name.utf8) + UInt32(content.count).bigEndianBytes + content + padding
    }

    private static func longChunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
        let guid: [UInt8] = [0xF3, 0xAC, 0xD3, 0x11, 0x8C, 0xD1, 0, 0xC0, 0x4F, 0x8E, 0xDB, 0x8A]
        let padding = [UInt8](repeating: 0, count: (8 - content.count % 8) % 8)
        return Array(name.utf8) + guid + UInt64(content.count + 24).littleEndianBytes + content + padding
    }

    var format: [UInt8] {
        let frame = channels * bytesPerSample
        let shown = kind == .extensible ? 0xFFFE : tag
        var chunk = UInt16(shown).littleEndianBytes + UInt16(channels).littleEndianBytes
        chunk += UInt32(sampleRate).littleEndianBytes + UInt32(sampleRate * frame).littleEndianBytes
        chunk += UInt16(frame).littleEndianBytes + UInt16(8 * bytesPerSample).littleEndianBytes
        guard kind == .extensible else { return chunk }
        chunk += [22, 0] + UInt16(8 * bytesPerSample).littleEndianBytes + UInt32((1 << channels) - 1).littleEndianBytes
        return chunk + UInt16(tag).littleEndianBytes + [0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
    }

    var bytes: [UInt8] {
        switch kind {
        case .riff, .extensible: riff("RIFF", lengths: [], soundLength: declaredLength)
        case .rf64:
            riff(
                "RF64",
                lengths: Self.chunk(
                    "ds64",
                    UInt64(0).littleEndianBytes + UInt64(sound.count).littleEndianBytes
                        + UInt64(frames).littleEndianBytes
                        + [0, 0, 0, 0]), soundLength: declaredLength ?? .max)
        case .wave64: wave64
        case .aiff, .aiffC: aiff
        }
    }

    private func riff(_ name: String, lengths: [UInt8], soundLength: UInt32?) -> [UInt8] {
        var body = Array("WAVE".utf8) + lengths
        for (name, content) in before { body += Self.chunk(name, content) }
        body += Self.chunk("fmt ", format) + Self.chunk("data", sound, length: soundLength)
        for (name, content) in after { body += Self.chunk(name, content) }
        let isUnknown = declaredLength == 0 || declaredLength == .max || name == "RF64"
        return Array(name.utf8) + (isUnknown ? UInt32.max : UInt32(body.count)).littleEndianBytes + body
    }

    private var wave64: [UInt8] {
        let riff = Array("riff".utf8) + [0x2E, 0x91, 0xCF, 0x11, 0xA5, 0xD6, 0x28, 0xDB, 0x04, 0xC1, 0, 0]
        let wave = Self.longChunk("wave", []).prefix(16)
        let body = Self.longChunk("fmt ", format) + Self.longChunk("data", sound)
        return riff + UInt64(40 + body.count).littleEndianBytes + wave + body
    }

    private var aiff: [UInt8] {
        var common = UInt16(channels).bigEndianBytes + UInt32(frames).bigEndianBytes
        common += UInt16(8 * bytesPerSample).bigEndianBytes
        // 44100 as an 80-bit number.
        common += UInt16(16383 + 15).bigEndianBytes + (UInt64(44100) << 48).bigEndianBytes
        if kind == .aiffC { common += Array("sowt".utf8) + [0, 0] }
        var body = Array((kind == .aiffC ? "AIFC" : "AIFF").utf8)
        for (name, content) in before { body += Self.bigChunk(name, content) }
        let chunks = [Self.bigChunk("COMM", common), Self.bigChunk("SSND", [0, 0, 0, 0, 0, 0, 0, 0] + sound)]
        body += (isSoundFirst ? chunks.reversed() : chunks).joined()
        for (name, content) in after { body += Self.bigChunk(name, content) }
        return Self.bigChunk("FORM", body)
    }
}
