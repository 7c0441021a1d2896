// SPDX-License-Identifier: GPL-3.0-or-later

/// The decoder's configuration in `esds`. Source: ISO/IEC 14496-1 sections 7.2.6.5 and 7.2.6.6; ISO/IEC 14496-14
/// section 5.6.
struct ElementaryStreamDescriptor {
    /// Object type indications of AAC: MPEG-4 audio, and MPEG-2 AAC Main, LC and SSR.
    static let aac: Set<Int> = [0x40, 0x66, 0x67, 0x68]

    /// True unless the object type names another kind of AAC.
    var mayBeLowComplexity: Bool { objectType == 0x40 || objectType == 0x67 }

    private enum Tag {
        static let elementaryStream = 3
        static let decoderConfig = 4
        static let decoderSpecificInfo = 5
    }

    /// The kind of the stream; 0x40 is MPEG-4 audio.
    let objectType: Int
    /// DecoderSpecificInfo: an AudioSpecificConfig if the object type is AAC; may be empty.
    let decoderConfig: [UInt8]

    init?(_ bytes: ArraySlice<UInt8>) {
        var fields = ByteFields(bytes)
        guard fields.skip(4), var stream = fields.descriptor(Tag.elementaryStream), stream.skip(2),
            let flags = stream.number(1), flags & 0x80 == 0 || stream.skip(2),
            flags & 0x40 == 0 || stream.number(1).map({ stream.skip($0) }) == true,
            flags & 0x20 == 0 || stream.skip(2), var decoder = stream.descriptor(Tag.decoderConfig),
            let type = decoder.number(1), decoder.skip(12)
        else { return nil }
        objectType = type
        decoderConfig = decoder.descriptor(Tag.decoderSpecificInfo).map { Array($0.rest) } ?? []
    }
}

extension ByteFields {
    /// Reads the next descriptor, which must have this tag; its length is cut to the bytes. Source: ISO/IEC 14496-1
    /// section 8.3.3: a length of seven bits per byte.
    fileprivate mutating func descriptor(_ tag: Int) -> ByteFields? {
        guard number(1) == tag else { return nil }
        var length = 0
        for _ in 0..<4 {
            guard let byte = number(1) else { return nil }
            length = length << 7 | byte & 0x7F
            if byte & 0x80 == 0 { break }
        }
        return bytes(min(length, rest.count)).map { ByteFields($0) }
    }
}
