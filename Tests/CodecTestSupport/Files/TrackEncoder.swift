// SPDX-License-Identifier: GPL-3.0-or-later
import AudioContainers
import AudioDecoding
import Media

/// Encodes the files of `TrackFileCase`.
struct TrackEncoder {
    let seconds: Int
    private let programme: TestProgramme

    private static let longProgramme = TestProgramme(sampleRate: 48000, channels: 1, seconds: 32)

    init(seconds: Int) {
        self.seconds = seconds
        programme = Self.longProgramme.prefix(48000 * seconds)
    }

    func encode(_ format: TrackFileCase) throws -> TrackFile {
        switch format {
        case .aac, .aacLast, .aacFragments, .adts: try encodeAAC(format)
        case .heAAC, .heADTS: try encodeHEAAC(format)
        case .opus: try encodeOpus(960)
        case .shortOpus: try encodeOpus(240)
        case .longOpus: try encodeOpus(2880)
        case .opusInMP4: try encodeOpusInMP4()
        case .vorbis: try encodeVorbis()
        case .flac, .flacTable: try encodeFLAC(hasTable: format == .flacTable)
        case .oggFLAC: try encodeOggFLAC()
        case .flacInMP4: try encodeFLACInMP4()
        case .wave: encodeWave(.riff)
        case .rf64: encodeWave(.rf64)
        case .wave64: encodeWave(.wave64)
        case .aiff: encodeWave(.aiff)
        case .chain: try encodeChain()
        }
    }
}

/// AAC.
extension TrackEncoder {
    /// The frames of the encoder's delay, and those of the padding at the end.
    private static let (delay, padding) = (1024, 300)

    private func encodeAAC(_ format: TrackFileCase) throws -> TrackFile {
        let channels = format == .aacFragments ? 2 : 1
        let stream = try AACPackets(core: 48000, channels: channels, count: 48 * seconds, seed: 5)
        let payloads = stream.packets.map(\.bytes)
        let codec = AudioCodec.aac(stream.config.withoutSBR)
        let frames = payloads.count * 1024
        let isTrimmed = format == .aac || format == .aacLast
        let part = try TrackFile.Part(
            codec, stream.config.format, stream.packets, start: format == .adts ? 0 : Self.delay,
            end: isTrimmed ? frames - Self.padding : frames)
        switch format {
        case .aacFragments: return TrackFile(.mp4, fragments(payloads), part)
        case .adts: return TrackFile(.adts, Self.adts(payloads, rate: 3), part)
        default: return TrackFile(.mp4, movie(payloads, frames, isFirst: format == .aac), part)
        }
    }

    private func entry(core: Int, channels: Int = 1) -> [UInt8] {
        BoxWriter.soundEntry("mp4a", BoxWriter.esds(AACPackets.config(core, channels, .none)))
    }

    private func movie(_ payloads: [[UInt8]], _ frames: Int, isFirst: Bool) -> [UInt8] {
        var builder = MP4Builder(payloads)
        builder.isMovieFirst = isFirst
        (builder.entry, builder.timescale, builder.chunkLengths) = (entry(core: 48000), 48000, [47])
        let played = frames - Self.delay - Self.padding
        if isFirst {
            (builder.movieTimescale, builder.edits) = (48000, [(played, Self.delay)])
            builder.userData = Self.tags()
        } else {
            let fields = [0, Self.delay, Self.padding].map { Self.hexadecimal($0, 8) }
            let text = " " + (fields + [Self.hexadecimal(played, 16)]).joined(separator: " ")
            builder.edits = nil
            builder.userData = Self.tags(BoxWriter.comment("iTunSMPB", text))
        }
        return builder.build().bytes
    }

    private static func tags(_ more: [UInt8] = []) -> [UInt8] {
        BoxWriter.udta(BoxWriter.item("©nam", Array(title.utf8)) + more)
    }

    /// The title in the tags of the files whose format has tags.
    static let title = "A title"

    private static func hexadecimal(_ value: Int, _ width: Int) -> String {
        let digits = String(value, radix: 16, uppercase: true)
        return String(repeating: "0", count: width - digits.utf8.count) + digits
    }

    private func fragments(_ payloads: [[UInt8]]) -> [UInt8] {
        var builder = FragmentBuilder(payloads)
        (builder.entry, builder.timescale) = (entry(core: 48000, channels: 2), 48000)
        (builder.packetsPerFragment, builder.packetsPerRun) = (94, 94)
        return builder.build().bytes
    }

    private static func adts(_ payloads: [[UInt8]], rate: Int) -> [UInt8] {
        var builder = ADTSBuilder()
        (builder.format.rate, builder.format.channels) = (rate, 1)
        for payload in payloads { builder.addFrame(payload) }
        return builder.bytes
    }

    private func encodeHEAAC(_ format: TrackFileCase) throws -> TrackFile {
        let stream = try AACPackets(core: 24000, channels: 1, .sbr, count: 24 * seconds, isSignalled: false, seed: 6)
        let config = stream.config.withImplicitSBR
        let packets = stream.packets.map { CodecPacket(bytes: $0.bytes, frames: 2048) }
        let payloads = packets.map(\.bytes)
        let isMovie = format == .heAAC
        // The edit list counts in the core's rate and leaves out the 481 frames of SBR: see `MP4Trimming`.
        let start = isMovie ? (Self.delay + 481) * 2 : 0
        let part = try TrackFile.Part(.aac(config), config.format, packets, start: start)
        let accuracy = TrackFile.Accuracy.spectrum(1)
        guard isMovie else { return TrackFile(.adts, Self.adts(payloads, rate: 6), part, accuracy: accuracy) }
        var builder = MP4Builder(payloads)
        (builder.entry, builder.timescale, builder.chunkLengths) = (entry(core: 24000), 24000, [24])
        builder.edits = [(0, Self.delay)]
        return TrackFile(.mp4, builder.build().bytes, part, accuracy: accuracy)
    }
}

/// Opus, Vorbis, FLAC and PCM.
extension TrackEncoder {
    private static let opusAccuracy = TrackFile.Accuracy.samples(1e-5)
    /// The least frames of a page.
    private var pageFrames: Int { seconds > 1 ? 48000 : 8000 }
    /// The frames before and after the sound of an Opus stream.
    private static let (preSkip, endTrim) = (312, 500)

    private func opus(_ packetFrames: Int, seconds: Int? = nil) throws -> (bytes: [UInt8], part: TrackFile.Part) {
        let programme = programme.prefix((seconds ?? self.seconds) * 48000)
        let stream = try OpusEncoding(programme, frames: packetFrames)
        let frames = stream.packets.reduce(0) { $0 + $1.frames }
        let tags = Array("OpusTags".utf8) + CommentBlock.bytes([Array("TITLE=\(Self.title)".utf8)])
        let bytes = OggWriter.stream(
            [OpusEncoding.head(channels: 1, gain: 0, family: 0, mapping: []), tags], stream.packets,
            endTrim: Self.endTrim, pageFrames: pageFrames)
        let part = try TrackFile.Part(
            .opus(stream.head), stream.head.format, stream.packets, start: Self.preSkip, end: frames - Self.endTrim)
        return (bytes, part)
    }

    private func encodeOpus(_ packetFrames: Int) throws -> TrackFile {
        let (bytes, part) = try opus(packetFrames)
        return TrackFile(.ogg, bytes, part, accuracy: Self.opusAccuracy)
    }

    /// Returns Opus whose packets are shorter in the first quarter.
    func encodeRisingRate() throws -> TrackFile {
        let (low, high) = (try OpusEncoding(programme, limit: 80), try OpusEncoding(programme))
        let quarter = high.packets.count / 4
        let packets = Array(low.packets[..<quarter] + high.packets[quarter...])
        let head = OpusEncoding.head(channels: 1, gain: 0, family: 0, mapping: [])
        let bytes = OggWriter.stream([head, Array("OpusTags".utf8) + CommentBlock.bytes([])], packets)
        let part = try TrackFile.Part(.opus(high.head), high.head.format, packets, start: Self.preSkip)
        return TrackFile(.ogg, bytes, part, accuracy: Self.opusAccuracy)
    }

    private func encodeOpusInMP4() throws -> TrackFile {
        let stream = try OpusEncoding(programme)
        typealias Writer = BoxWriter
        let fields = [0, 1] + Writer.u16(Self.preSkip) + Writer.u32(48000) + Writer.u16(0) + [0]
        var builder = MP4Builder(stream.packets.map(\.bytes))
        builder.entry = Writer.soundEntry("Opus", Writer.box("dOps", fields))
        (builder.timescale, builder.movieTimescale, builder.chunkLengths) = (48000, 48000, [50])
        builder.times = [(stream.packets.count, 960)]
        let end = stream.packets.count * 960 - Self.endTrim
        builder.edits = [(end - Self.preSkip, Self.preSkip)]
        let part = try TrackFile.Part(
            .opus(stream.head), stream.head.format, stream.packets, start: Self.preSkip, end: end)
        return TrackFile(.mp4, builder.build().bytes, part, accuracy: Self.opusAccuracy)
    }

    private func vorbis(
        _ programme: TestProgramme, serial: UInt32 = 1
    ) throws -> (bytes: [UInt8], part: TrackFile.Part) {
        let stream = try VorbisEncoding(programme)
        let codec = AudioCodec.vorbis(identification: stream.headers[0], setup: stream.headers[2])
        let format = AudioFormat(sampleRate: programme.sampleRate, channels: programme.channels)
        let bytes = OggWriter.stream(stream.headers, stream.packets, serial: serial, pageFrames: pageFrames)
        return (bytes, try TrackFile.Part(codec, format, stream.packets))
    }

    private func encodeVorbis() throws -> TrackFile {
        let (bytes, part) = try vorbis(programme)
        return TrackFile(.ogg, bytes, part)
    }

    private func encodeChain() throws -> TrackFile {
        let half = max(1, seconds / 2)
        let first = try opus(960, seconds: half)
        let samples = programme.prefix(44100 * half).samples
        let second = try vorbis(TestProgramme(sampleRate: 44100, channels: 1, samples: samples), serial: 2)
        return TrackFile(.ogg, first.bytes + second.bytes, first.part, second.part, accuracy: Self.opusAccuracy)
    }

    /// Returns a chain of four streams, Vorbis and FLAC in turn. Their sounds differ.
    /// - Parameter sixteenths: the lengths of the streams, in sixteenths of the programme.
    func encodeLongChain(_ sixteenths: [Int] = [4, 4, 4, 4]) throws -> TrackFile {
        let unit = programme.frames / 16
        var ends = [0]
        for length in sixteenths { ends.append((ends.last ?? 0) + length * unit) }
        let sounds = (0..<4).map { Array(programme.samples[ends[$0]..<ends[$0 + 1]]) }
        let first = try vorbis(TestProgramme(sampleRate: 44100, channels: 1, samples: sounds[0]))
        let second = try oggFLAC(TestProgramme(sampleRate: 48000, channels: 1, samples: sounds[1]), serial: 2)
        let third = try vorbis(TestProgramme(sampleRate: 44100, channels: 1, samples: sounds[2]), serial: 3)
        let fourth = try oggFLAC(TestProgramme(sampleRate: 48000, channels: 1, samples: sounds[3]), serial: 4)
        let bytes = first.bytes + second.bytes + third.bytes + fourth.bytes
        return TrackFile(.ogg, bytes, first.part, second.part, third.part, fourth.part)
    }

    private func flac(_ programme: TestProgramme) throws -> (stream: FLACEncoding, part: TrackFile.Part) {
        let stream = try FLACEncoding(programme, bits: 12, blockSize: 4096)
        return (stream, TrackFile.Part(format: stream.info.format, samples: stream.samples))
    }

    private func encodeFLAC(hasTable: Bool) throws -> TrackFile {
        let (stream, part) = try flac(programme)
        var writer = FLACWriter()
        if hasTable { writer.blocks = [(3, Self.seekTable(stream.packets))] }
        writer.blocks.append((4, CommentBlock.bytes([Array("TITLE=\(Self.title)".utf8)])))
        let info = Self.info(stream, frames: hasTable ? programme.frames : 0)
        return TrackFile(.flac, writer.head(info) + stream.packets.flatMap(\.bytes), part)
    }

    /// Returns STREAMINFO with another number of frames; 0 if it is unknown.
    private static func info(_ stream: FLACEncoding, frames: Int) -> [UInt8] {
        var info = stream.info.bytes
        info[13] &= 0xF0
        info.replaceSubrange(14..<18, with: UInt32(frames).bigEndianBytes)
        return info
    }

    /// Returns a seek point for each second.
    private static func seekTable(_ packets: [CodecPacket]) -> [UInt8] {
        var (table, place, frame, next) = ([UInt8](), 0, 0, 0)
        for packet in packets {
            if frame >= next {
                table += UInt64(frame).bigEndianBytes + UInt64(place).bigEndianBytes
                table += UInt16(packet.frames).bigEndianBytes
                next = frame + 48000
            }
            (place, frame) = (place + packet.bytes.count, frame + packet.frames)
        }
        return table
    }

    private func oggFLAC(
        _ programme: TestProgramme, serial: UInt32 = 1
    ) throws -> (bytes: [UInt8], part: TrackFile.Part) {
        let (stream, part) = try flac(programme)
        let info = FLACWriter.block(0, Self.info(stream, frames: programme.frames), isLast: false)
        let head = [0x7F] + Array("FLAC".utf8) + [1, 0, 0, 1] + Array("fLaC".utf8) + info
        let comments = FLACWriter.block(4, CommentBlock.bytes([Array("TITLE=\(Self.title)".utf8)]), isLast: true)
        let bytes = OggWriter.stream([head, comments], stream.packets, serial: serial, pageFrames: pageFrames)
        return (bytes, part)
    }

    private func encodeOggFLAC() throws -> TrackFile {
        let (bytes, part) = try oggFLAC(programme)
        return TrackFile(.ogg, bytes, part)
    }

    private func encodeFLACInMP4() throws -> TrackFile {
        let (stream, part) = try flac(programme)
        typealias Writer = BoxWriter
        var builder = MP4Builder(stream.packets.map(\.bytes))
        let info = FLACWriter.block(0, Self.info(stream, frames: programme.frames), isLast: true)
        builder.entry = Writer.soundEntry("fLaC", Writer.full("dfLa", info))
        (builder.timescale, builder.movieTimescale, builder.chunkLengths) = (48000, 48000, [12])
        builder.times = stream.packets.map { (count: 1, duration: $0.frames) }
        builder.edits = nil
        return TrackFile(.mp4, builder.build().bytes, part)
    }

    private func encodeWave(_ kind: WaveWriter.Kind) -> TrackFile {
        let writer = WaveWriter(kind: kind, channels: 1, frames: 44100 * seconds)
        let sound = writer.sound
        let (first, second) = kind == .aiff ? (1, 0) : (0, 1)
        let samples = sound.indices.filter { $0.isMultiple(of: 2) }.map { place in
            Float(Int16(bitPattern: UInt16(sound[place + first]) | UInt16(sound[place + second]) << 8)) / 32768
        }
        let format = AudioFormat(sampleRate: 44100, channels: 1)
        return TrackFile(.wave, writer.bytes, TrackFile.Part(format: format, samples: samples))
    }
}

extension TestProgramme {
    /// Returns the first frames.
    fileprivate func prefix(_ frames: Int) -> TestProgramme {
        TestProgramme(sampleRate: sampleRate, channels: channels, samples: Array(samples.prefix(frames * channels)))
    }
}
