// SPDX-License-Identifier: GPL-3.0-or-later

/// Builds MPEG streams byte by byte: valid silent frames, tags, and garbage.
///
/// The builder shares no table with the parser, so that each checks the other. The last four bytes of a frame contain
/// its number in the stream (7 bits each) as ancillary data, so that no two frames are equal; no byte after the
/// header is 0xFF.
public struct MP3Builder: Sendable {
    /// The format of MPEG frames.
    public struct Format: Sendable, Hashable {
        public enum Version: Sendable, Hashable, CaseIterable { case mpeg1, mpeg2, mpeg25 }

        public var version: Version
        /// The layer: 1, 2 or 3.
        public var layer: Int
        public var sampleRate: Int
        public var kilobits: Int
        public var isMono: Bool
        public var hasCRC: Bool
        /// The number of bytes of an unpadded free-format frame; `nil`: the header declares `kilobits`.
        public var freeFormatLength: Int?

        public init(
            _ version: Version = .mpeg1, layer: Int = 3, sampleRate: Int = 44100, kilobits: Int = 128,
            isMono: Bool = false, hasCRC: Bool = false, freeFormatLength: Int? = nil
        ) {
            self.version = version
            self.layer = layer
            self.sampleRate = sampleRate
            self.kilobits = kilobits
            self.isMono = isMono
            self.hasCRC = hasCRC
            self.freeFormatLength = freeFormatLength
        }
    }

    public var format: Format
    public private(set) var bytes: [UInt8] = []
    /// The start offset of each audio frame.
    public private(set) var frameOffsets: [Int64] = []
    /// The length of each audio frame, including its header.
    public private(set) var frameLengths: [Int] = []

    public init(_ format: Format = Format()) {
        self.format = format
    }

    /// Adds `count` audio frames.
    /// - Parameters:
    ///   - kilobits: bit rates to cycle through, for VBR; empty: the bit rate of the format.
    ///   - padded: true if each frame has a padding slot.
    public mutating func addFrames(_ count: Int, kilobits: [Int] = [], padded: Bool = false) {
        for index in 0..<count {
            let rate = kilobits.isEmpty ? format.kilobits : kilobits[index % kilobits.count]
            var frame = format.frame(kilobits: rate, padded: padded)
            let number = frameOffsets.count
            for place in 1...4 { frame[frame.count - place] = UInt8(number >> (7 * (place - 1)) & 0x7F) }
            frameOffsets.append(Int64(bytes.count))
            frameLengths.append(frame.count)
            bytes += frame
        }
    }

    /// Adds bytes unchanged.
    public mutating func addBytes(_ raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

    /// Removes the last `count` bytes.
    public mutating func truncate(by count: Int) { bytes.removeLast(Swift.min(count, bytes.count)) }

    /// Adds bytes that contain no sync word (no byte is 0xFF) and no tag name.
    public mutating func addGarbage(_ count: Int) {
        addBytes((0..<count).map { UInt8($0 &* 7 % 61 + 1) })
    }
}

extension MP3Builder.Format {
    /// Returns one silent frame: a header and zeros.
    public func frame(kilobits: Int, padded: Bool) -> [UInt8] {
        var frame = [UInt8](repeating: 0, count: length(kilobits: kilobits, padded: padded))
        frame.replaceSubrange(0..<4, with: header(kilobits: kilobits, padded: padded))
        return frame
    }

    /// Returns the number of bytes of a frame, including its header.
    public func length(kilobits: Int, padded: Bool) -> Int {
        let slot = layer == 1 ? 4 : 1
        let padding = padded ? slot : 0
        if let freeFormatLength { return freeFormatLength + padding }
        let slots = layer == 1 ? 12 : layer == 3 && version != .mpeg1 ? 72 : 144
        return slots * kilobits * 1000 / sampleRate * slot + padding
    }

    public var samplesPerFrame: Int { layer == 1 ? 384 : layer == 3 && version != .mpeg1 ? 576 : 1152 }

    public var sideInfoLength: Int {
        guard layer == 3 else { return 0 }
        return version == .mpeg1 ? (isMono ? 17 : 32) : (isMono ? 9 : 17)
    }

    private func header(kilobits: Int, padded: Bool) -> [UInt8] {
        let versionBits: UInt8 = version == .mpeg1 ? 3 : version == .mpeg2 ? 2 : 0
        let base = version == .mpeg1 ? sampleRate : version == .mpeg2 ? sampleRate * 2 : sampleRate * 4
        let rateBits: UInt8 = base == 44100 ? 0 : base == 48000 ? 1 : 2
        let named = Self.rates(version, layer).firstIndex(of: kilobits).map { $0 + 1 } ?? 0
        let index = freeFormatLength == nil ? named : 0
        return [
            0xFF,
            0xE0 | versionBits << 3 | UInt8(4 - layer) << 1 | (hasCRC ? 0 : 1),
            UInt8(index) << 4 | rateBits << 2 | (padded ? 2 : 0),
            isMono ? 0xC0 : 0,
        ]
    }

    /// Returns every bit rate in kbit/s that a header of this version and layer can declare, lowest first.
    public static func rates(_ version: Version, _ layer: Int) -> [Int] {
        switch (version, layer) {
        case (.mpeg1, 1): Array(stride(from: 32, through: 448, by: 32))
        case (.mpeg1, 2): [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384]
        case (.mpeg1, _): [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
        case (_, 1): [32, 48, 56, 64, 80, 96, 112, 128, 144, 160, 176, 192, 224, 256]
        default: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
        }
    }
}
