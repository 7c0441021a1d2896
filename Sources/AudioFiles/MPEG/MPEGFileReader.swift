// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioDecoding
import MPEGAudio
import Media

/// MPEG audio, whole or arriving: interleaved Float32 at the file's own rate, without encoder delay and padding. Where
/// a packet of another rate or length follows, as of another file joined on, it ends.
///
/// After a seek decoding begins so far in front of the frame wanted that what comes out equals a linear decode bit by
/// bit. Memory: two windows of 64 KiB, the decoder, and 5 bytes for 8 packets.
final class MPEGFileReader: SoundFile {
    let format: AudioFormat
    let fileFormat: AudioFileFormat
    private(set) var position: Int64 = 0

    private let name: String
    let source: any ByteSource
    private let first: MPEGPacket
    private let gapless: GaplessFacts
    private var stream: IndexedStream
    /// Indexes packets that are not to be decoded; of no use where `cursor` has indexed some since.
    private var surveyor: PacketCursor
    private var surveyed: Int64
    /// Reads what is decoded; `nil` before a read after a seek.
    private var cursor: PacketCursor?
    private var decoding: PacketDecoding
    private var backlog: FrameBacklog
    /// The number of the frame behind those in it.
    private var madeFrames: Int64 = 0
    /// All that there is was decoded.
    private var isAtEnd = false
    private let window: UnsafeMutableRawBufferPointer

    private static let windowSize = 64 << 10

    /// Reads up to the first packet.
    /// - Throws: `notArrived`, `unsupported` where no packet can be found, `cannotRead`.
    init(source: any ByteSource, name: String) throws(AudioFileError) {
        var cursor = PacketCursor(in: source)
        var stream = IndexedStream()
        let window = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.windowSize, alignment: 16)
        do throws(AudioFileError) {
            first = try Self.firstPacket(&cursor, &stream, window, name)
        } catch {
            window.deallocate()
            throw error
        }
        (self.source, self.name, self.window, self.stream) = (source, name, window, stream)
        let header = first.header
        format = AudioFormat(sampleRate: header.sampleRate, channels: header.channels)
        fileFormat = AudioFileFormat(type: .mp3, sampleRate: header.sampleRate, channels: header.channels)
        gapless = stream.gaplessFacts(header, totalLength: source.arrival.total)
        decoding = PacketDecoding(gapless: gapless, landingOn: 0)
        backlog = FrameBacklog(format: format)
        (surveyor, surveyed) = (cursor, stream.index.count)
    }

    deinit { window.deallocate() }

    /// Exact once all packets are counted, which is done here as far as they have arrived: of a file of three hours in
    /// some hundredths of a second, and once.
    var length: AudioFileLength {
        _ = survey(upTo: .max)
        if stream.isWhole {
            let decoded = timeline.decodedFrame(ofPacket: stream.index.count)
            return .exact(max(0, (gapless.end(afterPackets: stream.index.count) ?? decoded) - gapless.start))
        }
        let estimate = stream.estimate(from: first, gapless, totalLength: source.arrival.total)
        return estimate.duration.value.map { .estimate(format.frames(in: $0)) } ?? .unknown
    }

    var shortfall: AudioFileError? {
        stream.shortfall(first.header, totalLength: source.arrival.total).map { .reading(name, $0) }
    }

    func seek(to frame: Int64) {
        guard frame != position else { return }
        position = max(0, frame)
        (cursor, isAtEnd) = (nil, false)
        backlog.removeAll()
    }

    func read(into slice: AudioBufferSlice) throws(AudioFileError) -> AudioFileRead {
        var filled = 0
        while true {
            filled += backlog.take(into: slice.dropFirst(filled))
            guard filled < slice.frames, !isAtEnd else { break }
            do throws(Pause) {
                try advance()
            } catch {
                if filled > 0 { break }
                return try error.answer(name)
            }
        }
        if filled == 0, let shortfall { throw shortfall }
        position += Int64(filled)
        return filled > 0 ? .frames(filled) : .end
    }
}

extension MPEGFileReader {
    /// Why reading goes no further for now.
    private enum Pause: Error {
        case edge
        case lost(MediaFailure)

        func answer(_ name: String) throws(AudioFileError) -> AudioFileRead {
            switch self {
            case .edge: return .edge
            case .lost(let failure): throw .reading(name, failure)
            }
        }
    }

    private var timeline: PacketTimeline {
        PacketTimeline(packetFrames: first.header.samplesPerFrame, start: gapless.start)
    }

    private static func firstPacket(
        _ cursor: inout PacketCursor, _ stream: inout IndexedStream, _ window: UnsafeMutableRawBufferPointer,
        _ name: String
    ) throws(AudioFileError) -> MPEGPacket {
        while true {
            switch cursor.step(window) {
            case .event(.packet(let packet)):
                stream.append(packet)
                return packet
            case .event(let event): stream.note(event)
            case .worked: continue
            case .edge: throw .notArrived(path: name)
            case .lost(let failure): throw .reading(name, failure)
            case .ended, .failed: throw .unsupported(path: name, reason: unknownContent)
            }
        }
    }

    private static let unknownContent = "it is no MP3, WAV, AIFF, CAF, FLAC, Ogg Vorbis or Opus"

    // MARK: Decoding

    /// Decodes the next packet, or does another bounded piece of work.
    private func advance() throws(Pause) {
        guard cursor != nil else { return try land() }
        switch cursor?.step(window) {
        case .event(.packet(let packet)) where isOfFormat(packet): try decode(packet)
        case .event(.packet), .ended: end()
        case .event, .worked, nil: return
        case .edge:
            source.need(from: cursor?.readOffset ?? 0)
            throw .edge
        case .lost(let failure), .failed(let failure): throw .lost(failure)
        }
    }

    /// Finds where to begin, so that the frame at `position` comes out first.
    private func land() throws(Pause) {
        let number = timeline.packet(holding: position)
        if let pause = survey(upTo: number) {
            if case .edge = pause { source.need(from: surveyor.readOffset) }
            throw pause
        }
        guard number < stream.index.count, let point = stream.index.seekPoint(for: number) else {
            isAtEnd = true
            return
        }
        decoding = PacketDecoding(gapless: gapless, landingOn: position)
        madeFrames = position
        cursor = PacketCursor(MPEGStreamParser(resumingAt: point), in: source)
    }

    private func decode(_ packet: MPEGPacket) throws(Pause) {
        stream.append(packet)
        do throws(DecodingError) {
            let made = try decoding.prepare(for: packet.header)
            try cursor?.withBytes(of: packet) { bytes in
                Result { () throws(DecodingError) in
                    try decoding.decode(packet, bytes) { keep($0, made, at: $1) }
                }
            }.get()
        } catch {
            throw .lost(MediaFailure(.badData, "its sound cannot be decoded: \(error)"))
        }
    }

    private func end() {
        isAtEnd = true
        stream.end()
        decoding.finish(afterPackets: stream.index.count) { keep($0, format, at: $1) }
    }

    /// - Parameters:
    ///   - made: what the samples are; where mono and stereo alternate, they are brought to what came first.
    ///   - frame: the first one's number. What was dropped in front of it, padding where another file was joined on, is
    ///     silent, so that all keep their numbers.
    private func keep(_ samples: UnsafeBufferPointer<Float>, _ made: AudioFormat, at frame: Int64) {
        guard let start = samples.baseAddress else { return }
        // Slices are of mutable memory; these samples are only read.
        let slice = AudioBufferSlice(
            UnsafeMutablePointer(mutating: start), frames: samples.count / made.channels, format: made)
        if frame > madeFrames {
            let silence = AudioBufferList(format: format, frameCapacity: Int(frame - madeFrames))
            backlog.append(silence.slice)
        }
        madeFrames = frame + Int64(slice.frames)
        guard made.channels != format.channels else { return backlog.append(slice) }
        do throws(AudioConversionError) {
            let mixed = try slice.converted(to: format)
            backlog.append(mixed.slice)
        } catch {
            // The formats differ by one channel.
        }
    }

    /// Frames can only be counted as long as all packets make equally many, and play equally fast.
    private func isOfFormat(_ packet: MPEGPacket) -> Bool {
        packet.header.sampleRate == format.sampleRate && packet.header.samplesPerFrame == first.header.samplesPerFrame
    }

    // MARK: Indexing what is not decoded

    /// Indexes what has arrived until packet `number` is. Asks for nothing; where nothing came since, one read says so.
    /// - Returns: why it is not; `nil` where it is, or where the stream ends before it.
    private func survey(upTo number: Int64) -> Pause? {
        guard !stream.isWhole, stream.index.count <= number else { return nil }
        if surveyed != stream.index.count, let frontier = stream.index.frontier {
            surveyor = PacketCursor(MPEGStreamParser(resumingAt: frontier), in: source)
        }
        defer { surveyed = stream.index.count }
        while stream.index.count <= number {
            switch surveyor.step(window) {
            case .event(.packet(let packet)) where isOfFormat(packet): stream.append(packet)
            case .event(.packet), .ended:
                stream.end()
                return nil
            case .event, .worked: continue
            case .edge: return .edge
            case .lost(let failure), .failed(let failure): return .lost(failure)
            }
        }
        return nil
    }
}
