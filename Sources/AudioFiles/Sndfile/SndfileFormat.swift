// SPDX-License-Identifier: GPL-3.0-or-later
import CSndfile
import Media

/// Conversion of file formats to and from libsndfile's constants.
extension AudioFileFormat {
    /// Creates the format of a file opened by libsndfile.
    /// - Returns: `nil` for an unsupported file type.
    init?(_ info: SF_INFO, channelMap: [CInt]) {
        let encoding = info.format & CInt(SF_FORMAT_SUBMASK)
        guard let type = AudioFileType(container: info.format & CInt(SF_FORMAT_TYPEMASK)),
            info.samplerate > 0, info.channels > 0
        else { return nil }
        self.init(
            type: type, sampleRate: Int(info.samplerate), channels: Int(info.channels),
            encoding: AudioFileEncoding(sndfile: encoding), layout: ChannelLayout(channelMap: channelMap))
    }

    /// The format for writing with libsndfile; `nil` if libsndfile does not support it.
    var sndfile: SF_INFO? {
        guard let container = type.container, let encoding = encoding.sndfile(in: type),
            let rate = CInt(exactly: sampleRate), let channels = CInt(exactly: channels)
        else { return nil }
        var info = SF_INFO()
        (info.samplerate, info.channels, info.format) = (rate, channels, container | encoding)
        return info
    }
}

extension AudioFileType {
    fileprivate init?(container: CInt) {
        switch Int(container) {
        case SF_FORMAT_WAV, SF_FORMAT_WAVEX, SF_FORMAT_RF64: self = .wav
        case SF_FORMAT_AIFF: self = .aiff
        case SF_FORMAT_CAF: self = .caf
        default: return nil
        }
    }

    /// The container; a WAV file is begun as RF64, which becomes a plain WAV file if it stays below 4 GiB.
    fileprivate var container: CInt? {
        switch self {
        case .mp3, .mp4, .adts: nil
        case .wav: CInt(SF_FORMAT_RF64)
        case .aiff: CInt(SF_FORMAT_AIFF)
        case .caf: CInt(SF_FORMAT_CAF)
        case .flac: CInt(SF_FORMAT_FLAC)
        case .oggVorbis, .opus: CInt(SF_FORMAT_OGG)
        }
    }
}

extension AudioFileEncoding {
    fileprivate init(sndfile encoding: CInt) {
        switch Int(encoding) {
        case SF_FORMAT_PCM_S8, SF_FORMAT_PCM_U8: self = .int8
        case SF_FORMAT_PCM_16: self = .int16
        case SF_FORMAT_PCM_24: self = .int24
        case SF_FORMAT_PCM_32: self = .int32
        case SF_FORMAT_FLOAT: self = .float32
        case SF_FORMAT_DOUBLE: self = .float64
        default: self = .other(Self.name(of: encoding))
        }
    }

    fileprivate func sndfile(in type: AudioFileType) -> CInt? {
        let name: Int? =
            switch self {
            case .int8: type == .wav ? SF_FORMAT_PCM_U8 : SF_FORMAT_PCM_S8
            case .int16: SF_FORMAT_PCM_16
            case .int24: SF_FORMAT_PCM_24
            case .int32: SF_FORMAT_PCM_32
            case .float32: SF_FORMAT_FLOAT
            case .float64: SF_FORMAT_DOUBLE
            case .lossy: type == .opus ? SF_FORMAT_OPUS : type == .oggVorbis ? SF_FORMAT_VORBIS : nil
            case .other: nil
            }
        return name.map(CInt.init)
    }

    private static func name(of encoding: CInt) -> String {
        var format = SF_FORMAT_INFO()
        format.format = encoding
        let size = CInt(MemoryLayout<SF_FORMAT_INFO>.size)
        guard sf_command(nil, CInt(SFC_GET_FORMAT_INFO), &format, size) == 0, let name = format.name else {
            return "unknown"
        }
        return String(cString: name)
    }

    /// Returns the sample type that libsndfile reads or writes without losing stored information.
    /// - Parameter wanted: The type to prefer if it loses no information.
    func nativeType(wanted: SampleType?) -> SampleType {
        switch self {
        // libsndfile would truncate values that do not fit, instead of rounding them, and would not scale floats.
        case .int8, .int16: wanted ?? .float32
        case .int24, .int32: wanted == .int16 ? .int32 : wanted ?? .float32
        case .float64: wanted ?? .float32 == .float32 ? .float32 : .float64
        case .float32, .lossy, .other: wanted == .float64 ? .float64 : .float32
        }
    }
}

extension ChannelLayout {
    /// libsndfile's numbers of the loudspeakers that `ChannelLayout` contains, in its order.
    private static let places: [(CInt, ChannelLayout)] = [
        (CInt(SF_CHANNEL_MAP_LEFT), .frontLeft), (CInt(SF_CHANNEL_MAP_RIGHT), .frontRight),
        (CInt(SF_CHANNEL_MAP_CENTER), .frontCenter), (CInt(SF_CHANNEL_MAP_LFE), .lowFrequency),
        (CInt(SF_CHANNEL_MAP_REAR_LEFT), .backLeft), (CInt(SF_CHANNEL_MAP_REAR_RIGHT), .backRight),
        (CInt(SF_CHANNEL_MAP_REAR_CENTER), .backCenter), (CInt(SF_CHANNEL_MAP_SIDE_LEFT), .sideLeft),
        (CInt(SF_CHANNEL_MAP_SIDE_RIGHT), .sideRight),
    ]

    /// Returns `nil` if the map has no information; creates an empty layout if the order of the channels differs.
    init?(channelMap: [CInt]) {
        guard !channelMap.isEmpty, channelMap != [CInt(SF_CHANNEL_MAP_MONO)] else { return nil }
        let order = channelMap.map { speaker in Self.places.first { $0.0 == speaker }?.1.rawValue ?? 0 }
        let isAscending = zip(order, order.dropFirst()).allSatisfy { $0 < $1 } && order.first ?? 0 > 0
        self.init(rawValue: isAscending ? order.reduce(0, |) : 0)
    }

    /// Returns `nil` unless every channel has a loudspeaker.
    func channelMap(channels: Int) -> [CInt]? {
        let map = Self.places.filter { contains($0.1) }.map(\.0)
        return map.count == channels ? map : nil
    }
}
