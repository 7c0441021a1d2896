// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// A sample description of a sound track, which states the codec of its samples.
enum SoundDescription: Sendable, Equatable {
    case audio(AudioCodec)
    /// AAC-LC with the rate and the channels that the description states, because it has no configuration.
    case unconfigured(AACConfig)
    /// A codec that Earshot cannot play in MP4.
    case rejected(MediaFailure)
    case damaged(MediaFailure)

    /// The codec of the samples; `nil` if Earshot cannot play them.
    var codec: AudioCodec? {
        switch self {
        case .audio(let codec): codec
        case .unconfigured(let config): .aac(config)
        case .rejected, .damaged: nil
        }
    }

    /// Parses the content of `stsd`. Source: ISO/IEC 14496-12 sections 8.5.2 and 12.2.3; QuickTime File Format,
    /// "Sound sample descriptions", for the versions 0 to 2.
    /// - Returns: the entries in the order of the file, at least one.
    static func list(_ bytes: ArraySlice<UInt8>) -> [SoundDescription] {
        var fields = ByteFields(bytes)
        guard let version = fields.number(4), let count = fields.number(4) else { return [.damaged(MovieBox.damaged)] }
        let entries = BoxSequence(fields.rest).prefix(min(max(1, count), mostEntries))
        let list = entries.map { SoundDescription($0.type, $0.body, isQuickTime: version >> 24 == 0) }
        return list.isEmpty ? [.damaged(MovieBox.damaged)] : list
    }

    private static let mostEntries = 64

    private init(_ type: FourCC, _ entry: ArraySlice<UInt8>, isQuickTime: Bool) {
        do throws(CodecHeaderError) {
            self = try Self.description(type, entry, Self.boxes(in: entry, isQuickTime: isQuickTime))
        } catch {
            switch error {
            case .damaged(let failure): self = .damaged(failure)
            case .unsupported(let failure): self = .rejected(failure)
            }
        }
    }

    private static func description(
        _ type: FourCC, _ entry: ArraySlice<UInt8>, _ boxes: BoxSequence
    ) throws(CodecHeaderError) -> SoundDescription {
        switch type {
        case "mp4a": try mpeg4(boxes, of: entry)
        case "Opus": .audio(try opus(boxes.first("dOps") ?? []))
        case "fLaC": .audio(try flac(boxes.first("dfLa") ?? []))
        default: throw .unsupported(.unplayable((names[type] ?? "the codec \"\(type)\"") + " in MP4"))
        }
    }

    /// Returns the boxes after the fields of a sample description. QuickTime's versions 1 and 2 have more fields;
    /// MP4's version 1, which `stsd` announces by its own version, has not.
    private static func boxes(in entry: ArraySlice<UInt8>, isQuickTime: Bool) -> BoxSequence {
        var fields = ByteFields(entry)
        guard fields.skip(8), let version = fields.number(2), fields.skip(18) else { return BoxSequence([]) }
        if isQuickTime, version == 1 { _ = fields.skip(16) }
        if isQuickTime, version == 2 { _ = fields.skip(36) }
        let boxes = BoxSequence(fields.rest)
        // QuickTime wraps the decoder's configuration in `wave`.
        return boxes.first("wave").map { BoxSequence($0) } ?? boxes
    }

    private static func mpeg4(
        _ boxes: BoxSequence, of entry: ArraySlice<UInt8>
    ) throws(CodecHeaderError) -> SoundDescription {
        guard let descriptor = boxes.first("esds").flatMap(ElementaryStreamDescriptor.init) else { throw unconfigured }
        if let name = objectTypeNames[descriptor.objectType] { throw .unsupported(.unplayable("\(name) in MP4")) }
        guard ElementaryStreamDescriptor.aac.contains(descriptor.objectType) else {
            throw .unsupported(.unplayable("MPEG-4 audio of object type indication \(descriptor.objectType)"))
        }
        guard descriptor.decoderConfig.isEmpty, descriptor.mayBeLowComplexity else {
            return .audio(.aac(try AACConfig(audioSpecificConfig: descriptor.decoderConfig)))
        }
        return .unconfigured(try lowComplexity(entry))
    }

    /// Returns the configuration of AAC-LC with the channels and the rate in the fields of a sample description, with
    /// SBR not signalled. FFmpeg writes no other configuration before fragments that it makes of ADTS.
    private static func lowComplexity(_ entry: ArraySlice<UInt8>) throws(CodecHeaderError) -> AACConfig {
        var fields = ByteFields(entry)
        // The rate is a fixed-point number, of which the first 16 bits are the whole part.
        guard fields.skip(16), let channels = fields.number(2), fields.skip(6), let rate = fields.number(2),
            1...6 ~= channels, let index = AACConfig.sampleRates.firstIndex(of: rate)
        else { throw unconfigured }
        return try AACConfig(profile: 1, sampleRateIndex: index, channelConfiguration: channels)
    }

    private static let unconfigured = CodecHeaderError.unsupported(.unplayable("AAC without its configuration in MP4"))

    /// Reads the fields of an Opus header. They are big-endian here, but GStreamer and Shaka Packager write them
    /// little-endian, as Ogg does. Source: "Encapsulation of Opus in ISO Base Media File Format" section 4.3.2.
    private static func opus(_ bytes: ArraySlice<UInt8>) throws(CodecHeaderError) -> AudioCodec {
        var fields = ByteFields(bytes)
        guard fields.number(1) == 0, let channels = fields.bytes(1), let preSkip = fields.bytes(2),
            let rate = fields.bytes(4), let gain = fields.bytes(2)
        else { throw OpusHead.damaged }
        let isLittleEndian = !isRate(rate.number(.bigEndian)) && isRate(rate.number(.littleEndian))
        let numbers = [preSkip, rate, gain].flatMap { isLittleEndian ? Array($0) : Array($0.reversed()) }
        let head = Array("OpusHead".utf8) + [1] + channels + numbers
        return .opus(try OpusHead(head + fields.rest))
    }

    /// Returns true for a plausible sample rate. Those in use are much greater in the other byte order.
    private static func isRate(_ rate: UInt64) -> Bool { 1...768_000 ~= rate }

    /// Source: "Encapsulation of FLAC in ISO Base Media File Format" section 3.3.2.
    private static func flac(_ bytes: ArraySlice<UInt8>) throws(CodecHeaderError) -> AudioCodec {
        var fields = ByteFields(bytes)
        guard fields.skip(4), let kind = fields.number(1), kind & 0x7F == 0, let length = fields.number(3),
            let info = fields.bytes(length)
        else { throw FLACStreamInfo.damaged }
        return .flac(try FLACStreamInfo(info))
    }

    private static let names: [FourCC: String] = [
        "alac": "Apple Lossless", "ac-3": "AC-3", "ec-3": "E-AC-3", "ac-4": "AC-4", ".mp3": "MP3", "samr": "AMR",
        "sawb": "AMR-WB", "enca": "encrypted audio", "drms": "encrypted audio", "mha1": "MPEG-H audio",
        "mha2": "MPEG-H audio", "mhm1": "MPEG-H audio", "mhm2": "MPEG-H audio", "dtsc": "DTS", "dtse": "DTS",
        "dtsh": "DTS", "dtsl": "DTS", "dtsx": "DTS", "sowt": "PCM", "twos": "PCM", "lpcm": "PCM", "raw ": "PCM",
        "NONE": "PCM", "in24": "PCM", "in32": "PCM", "fl32": "PCM", "fl64": "PCM", "ipcm": "PCM", "fpcm": "PCM",
        "ulaw": "µ-law audio", "alaw": "A-law audio", "ima4": "IMA ADPCM", "iamf": "IAMF", "Qclp": "QCELP",
        "QDM2": "QDesign audio", "QDMC": "QDesign audio", "MAC3": "MACE audio", "MAC6": "MACE audio",
    ]

    /// Codecs other than AAC in `mp4a`. Source: the MP4 registration authority's object type indications.
    private static let objectTypeNames: [Int: String] = [
        0x69: "MP3", 0x6B: "MP3", 0xA5: "AC-3", 0xA6: "E-AC-3", 0xA9: "DTS", 0xAA: "DTS", 0xAB: "DTS", 0xAC: "DTS",
        0xAD: "Opus without its configuration", 0xAE: "AC-4", 0xDD: "Vorbis", 0xE1: "QCELP",
    ]
}
