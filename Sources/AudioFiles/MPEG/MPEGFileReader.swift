// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioDecoding
import MPEGAudio
import Media

/// Reads MPEG audio that is complete or still arriving: interleaved Float32 at the file's own rate, without encoder
/// delay and padding. If the rate changes, as in joined files, all frames have the highest rate known when the file
/// was opened: in a complete file the highest of all.
///
/// After a seek, decoding begins early enough that the output equals a linear decode bit for bit. Memory: two windows
/// of 64 KiB, the decoder, and 5 bytes for every 8 packets.
final class MPEGFileReader: SoundFile {
    let format: AudioFormat
    let fileFormat: AudioFileFormat
    private(set) var position: Int64 = 0

    private let name: String
    let source: any ByteSource
    private let first: MPEGPacket
    private let gapless: GaplessFacts
    private var stream: IndexedStream
    /// Indexes packets that are not decoded; outdated if `cursor` has indexed some since.
    private var surveyor: PacketCursor
    private var surveyed: Int64
    /// Reads the packets to decode; `nil` after a seek, until the next read.
    private var cursor: PacketCursor?
    private var decoding: PacketDecoding
    private var backlog: PendingFrames
    /// The conversion of the current run; `nil` if it has the reader's rate.
    private var conversion: RunConversion?
    /// The format of the last packet decoded since a seek.
    private var decoded: AudioFormat?
    private var landing = Landing(start: .init(frame: 0, output: 0), output: 0)
    /// True if all packets were decoded.
    private var isAtEnd = false
    private let window: UnsafeMutableRawBufferPointer

    private static let windowSize = 64 << 10

    /// Reads up to the first packet.
    /// - Throws: `notArrived`, `unsupported` if no packet can be found, `cannotRead`.
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
        if source.downloadProgress.condition == .complete { _ = Self.index(&cursor, &stream, upTo: .max, window) }
        (self.source, self.name, self.window, self.stream) = (source, name, window, stream)
        format = (stream.index.runs ?? FormatRuns(first.header)).maximumFormat
        fileFormat = AudioFileFormat(type: .mp3, sampleRate: format.sampleRate, channels: format.channels)
        gapless = stream.gaplessFacts(first.header, totalLength: source.downloadProgress.total)
        decoding = PacketDecoding(gapless: gapless, landingOn: 0)
        backlog = PendingFrames(format: format)
        (surveyor, surveyed) = (cursor, stream.index.count)
    }

    deinit { window.deallocate() }

    /// Exact once all packets are counted. Reading the property counts the packets that have arrived: once, and for a
    /// file of three hours in some hundredths of a second.
    var length: AudioFileLength {
        _ = survey(upTo: .max)
        let estimate = stream.estimate(from: first, gapless, totalLength: source.downloadProgress.total)
        if stream.isWhole { return .exact(estimate.duration.value.map(format.frames) ?? 0) }
        return estimate.duration.value.map { .estimate(format.frames(in: $0)) } ?? .unknown
    }

    var shortfall: AudioFileError? {
        stream.shortfall(first.header, totalLength: source.downloadProgress.total).map { .reading(name, $0) }
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
            filled += backlog.read(into: slice.dropFirst(filled))
            guard filled < slice.frames, !isAtEnd else { break }
            do throws(Pause) {
                try advance()
            } catch {
                if filled > 0 { break }
                return try error.readResult(name)
            }
        }
        if filled == 0, let shortfall { throw shortfall }
        position += Int64(filled)
        return filled > 0 ? .frames(filled) : .end
    }
}

extension MPEGFileReader {
    /// The position from which decoding began last, and the requested frame.
    private struct Landing {
        let start: RunConversion.Start
        let output: Int64
    }

    /// The reason why reading cannot continue for now.
    private enum Pause: Error {
        case notYetAvailable
        case lost(MediaFailure)

        func readResult(_ name: String) throws(AudioFileError) -> AudioFileRead {
            switch self {
            case .notYetAvailable: return .notYetAvailable
            case .lost(let failure): throw .reading(name, failure)
            }
        }
    }

    private var timeline: PacketTimeline {
        PacketTimeline(runs: stream.index.runs ?? FormatRuns(first.header), start: gapless.start)
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
            case .progressed: continue
            case .notYetAvailable: throw .notArrived(path: name)
            case .lost(let failure): throw .reading(name, failure)
            case .ended, .failed: throw .unsupported(path: name, reason: unknownContent)
            }
        }
    }

    private static let unknownContent = "not an MP3, WAV, AIFF, CAF, FLAC, Ogg Vorbis or Opus file"

    // MARK: Decoding

    /// Decodes the next packet, or performs another bounded step.
    private func advance() throws(Pause) {
        guard cursor != nil else { return try land() }
        switch cursor?.step(window) {
        case .event(.packet(let packet)): try decode(packet)
        case .ended: try end()
        case .event, .progressed, nil: return
        case .notYetAvailable:
            source.setReadPosition(from: cursor?.readOffset ?? 0)
            throw .notYetAvailable
        case .lost(let failure), .failed(let failure): throw .lost(failure)
        }
    }

    /// Finds the packet from which to decode, so that the frame at `position` is output first.
    private func land() throws(Pause) {
        let time = format.duration(ofFrames: position)
        // A change of format before the packet changes its number.
        while case let number = timeline.packet(at: time), number >= stream.index.count, !isCounted {
            guard let pause = survey(upTo: number) else { continue }
            if case .notYetAvailable = pause { source.setReadPosition(from: surveyor.readOffset) }
            throw pause
        }
        let start = timeline.start(for: position, of: format)
        guard timeline.packet(at: time) < stream.index.count,
            let point = stream.index.seekPoint(for: timeline.packet(holding: start.frame))
        else {
            isAtEnd = true
            return
        }
        decoding = PacketDecoding(gapless: gapless, landingOn: start.frame)
        (landing, conversion, decoded) = (Landing(start: start, output: position), nil, nil)
        cursor = PacketCursor(MPEGStreamParser(resumingAt: point), in: source)
    }

    private func decode(_ packet: MPEGPacket) throws(Pause) {
        stream.append(packet)
        do throws(DecodingError) {
            try leaveRun(before: packet)
            let made = try decoding.prepare(for: packet.header)
            if made != decoded { try enterRun(at: packet, made) }
            try cursor?.withBytes(of: packet) { bytes in
                Result { () throws(DecodingError) in
                    try decoding.decode(packet, bytes, in: timeline.runs) { samples, _ in keep(samples, made) }
                }
            }.get()
        } catch {
            throw .lost(MediaFailure(.badData, "cannot decode the audio: \(error)"))
        }
    }

    private func end() throws(Pause) {
        isAtEnd = true
        stream.end()
        decoding.finish(afterPackets: stream.index.count) { samples, _ in keep(samples, decoded ?? format) }
        do throws(DecodingError) {
            try conversion?.drain(to: stream.isWhole ? length.frames : nil) { backlog.append($0, of: format) }
        } catch {
            throw .lost(MediaFailure(.badData, "cannot convert the sample rate: \(error)"))
        }
        conversion = nil
    }

    // MARK: Runs

    /// Outputs the rest of the current run if a packet of the next run begins.
    private func leaveRun(before packet: MPEGPacket) throws(DecodingError) {
        guard let decoded else { return }
        decoding.release(before: packet.header) { samples, _ in keep(samples, decoded) }
        let next = AudioFormat(sampleRate: packet.header.sampleRate, channels: packet.header.channels)
        guard next != decoded, let conversion else { return }
        self.conversion = nil
        try conversion.drain(to: border(ofPacket: packet.number)) { backlog.append($0, of: format) }
    }

    private func enterRun(at packet: MPEGPacket, _ made: AudioFormat) throws(DecodingError) {
        decoded = made
        let run = timeline.runs.run(ofPacket: packet.number)
        let wanted = timeline.runs.run(ofDecoded: landing.start.frame + gapless.start)
        // Runs before the one landed in are pre-roll, which produces no output.
        guard made.sampleRate != format.sampleRate, run.packet >= wanted.packet else { return }
        if run.packet == wanted.packet {
            conversion = try RunConversion(from: made, to: format, landing.start, wanted: landing.output)
        } else {
            let border = border(ofPacket: run.packet)
            let start = RunConversion.Start(frame: run.frame - gapless.start, output: border)
            conversion = try RunConversion(from: made, to: format, start, wanted: border)
        }
    }

    private func border(ofPacket packet: Int64) -> Int64 { format.frames(in: timeline.time(ofPacket: packet)) }

    /// - Parameter made: The format of the samples.
    private func keep(_ samples: UnsafeBufferPointer<Float>, _ made: AudioFormat) {
        if let conversion { return conversion.convert(samples) { backlog.append($0, of: format) } }
        // Pre-roll before the run landed in produces no output.
        guard made.sampleRate == format.sampleRate else { return }
        guard made.channels != format.channels else { return backlog.append(samples, of: format) }
        guard let slice = AudioBufferSlice(kept: samples, format: made) else { return }
        do throws(AudioConversionError) {
            let mixed = try slice.converted(to: format)
            // A slice does not retain its memory.
            withExtendedLifetime(mixed) { backlog.append(mixed.slice) }
        } catch {
            // Never thrown: the formats differ only in being mono or stereo.
        }
    }

    // MARK: Indexing packets without decoding

    /// True if no further packet will be indexed.
    private var isCounted: Bool { stream.isWhole || stream.index.isFull }

    /// Indexes the available packets up to packet `number`, without requesting more; if no bytes arrived since the
    /// last call, one read detects that.
    /// - Returns: The reason why the packet is not indexed; `nil` if it is, or if the stream ends before it.
    private func survey(upTo number: Int64) -> Pause? {
        guard !isCounted, stream.index.count <= number else { return nil }
        if surveyed != stream.index.count, let frontier = stream.index.frontier {
            surveyor = PacketCursor(MPEGStreamParser(resumingAt: frontier), in: source)
        }
        defer { surveyed = stream.index.count }
        return Self.index(&surveyor, &stream, upTo: number, window)
    }

    private static func index(
        _ cursor: inout PacketCursor, _ stream: inout IndexedStream, upTo number: Int64,
        _ window: UnsafeMutableRawBufferPointer
    ) -> Pause? {
        while stream.index.count <= number, !stream.index.isFull {
            switch cursor.step(window) {
            case .event(.packet(let packet)): stream.append(packet)
            case .ended:
                stream.end()
                return nil
            case .event, .progressed: continue
            case .notYetAvailable: return .notYetAvailable
            case .lost(let failure), .failed(let failure): return .lost(failure)
            }
        }
        return nil
    }
}
