// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The tag in a Xing or Info frame, after the side information.
///
/// Source: Xing's VBR header: name, flags, then the fields that the flags select: frames, bytes, table, quality.
struct XingHeader {
    let kind: StreamInfo.Kind
    let frames: Int64?
    let bytes: Int64?
    let table: SeekTable?
    let lame: LAMETag?

    /// - Parameter frame: a whole Layer III frame.
    init?(frame: [UInt8], header: MPEGFrameHeader) {
        // LAME writes the tag at the position without a check word even if the frame has one.
        let places = header.hasCRC ? [0, 2] : [0]
        for place in places {
            if let found = Self(tag: frame.dropFirst(4 + header.sideInfoLength + place)) {
                self = found
                return
            }
        }
        return nil
    }

    private init?(tag: ArraySlice<UInt8>) {
        var fields = TagFields(tag)
        guard let name = fields.read(4), let flags = fields.number(4), flags < 16 else { return nil }
        switch String(decoding: name, as: UTF8.self) {
        case "Xing": kind = .xing
        case "Info": kind = .info
        default: return nil
        }
        frames = flags & 1 == 0 ? nil : fields.number(4).map(Int64.init)
        bytes = flags & 2 == 0 ? nil : fields.number(4).map(Int64.init)
        table = flags & 4 == 0 ? nil : fields.read(100).map { .xing(Array($0)) }
        if flags & 8 != 0 { _ = fields.read(4) }
        lame = LAMETag(&fields)
    }
}

/// The extension after a Xing header that contains the encoder's name and its delay and padding.
///
/// Source: LAME tag revision 1: the encoder in bytes 0-8, the track gain in bytes 15-16, delay and padding of 12 bits
/// each in bytes 21-23.
struct LAMETag {
    let encoder: String
    let gain: TrackGain?
    let delay: Int
    let padding: Int

    init?(_ fields: inout TagFields) {
        guard let name = fields.read(9), fields.read(6) != nil, let gain = fields.number(2), fields.read(4) != nil,
            let counts = fields.number(3)
        else { return nil }
        let letters = name.prefix { (0x20..<0x7F).contains($0) }
        guard !letters.isEmpty else { return nil }
        encoder = String(decoding: letters, as: UTF8.self)
        self.gain = Self.trackGain(gain)
        delay = counts >> 12
        padding = counts & 0xFFF
    }

    /// Returns the gain in a field of 3 bits for its name (1: the track's), 3 bits for its source (0: not set), a sign
    /// and tenths of dB.
    private static func trackGain(_ field: Int) -> TrackGain? {
        guard field >> 13 == 1, field >> 10 & 7 != 0 else { return nil }
        let tenths = Double(field & 0x1FF)
        return TrackGain(decibels: (field & 0x200 != 0 ? -tenths : tenths) / 10, reference: .replayGain)
    }
}
