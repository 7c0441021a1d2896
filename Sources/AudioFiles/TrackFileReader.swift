// SPDX-License-Identifier: GPL-3.0-or-later
import AudioBuffers
import AudioDecoding
import Media
import TrackReading

/// Reads a file with the reader that plays it, complete or still arriving: interleaved Float32 at the file's own rate,
/// without encoder delay and padding. If the rate changes, as in joined files, all frames have the highest rate known
/// when the file was opened: in a complete file the highest of all.
final class TrackFileReader: SoundFile {
    let format: AudioFormat
    let fileFormat: AudioFileFormat
    private(set) var position: Int64 = 0

    private let name: String
    private let source: any ByteSource
    private let reader: any TrackReader
    private var backlog: PendingFrames
    /// The conversion of the current run; `nil` if it has the reader's rate.
    private var conversion: RunConversion?
    /// The format of the last block since a seek; `nil` before it.
    private var run: AudioFormat?
    /// The time of the next frame of the reader; `nil` before the first block since a seek with a conversion.
    private var nextTime: Duration? = .zero
    /// The number of lost frames to read as silence before the reader's block.
    private var lostFrames = 0
    /// True if `reader` stands at `position`, or beyond it by the frames in the backlog.
    private var hasLanded: Bool
    private var isAtEnd = false

    /// Reads up to the first packet.
    /// - Throws: `notArrived`, `unsupported` if no packet can be found, `cannotRead`.
    init(_ kind: TrackFormat, _ source: any ByteSource, name: String) throws(AudioFileError) {
        (self.source, self.name) = (source, name)
        reader = kind.makeReader(source, TrackSection(isExact: true))
        let timeline = try Self.timeline(of: reader, name)
        if source.downloadProgress.condition == .complete { reader.findFormats(isSoundDue: false) }
        format = reader.timeline?.maximumFormat ?? timeline.maximumFormat
        fileFormat = AudioFileFormat(codec: timeline.codec, of: kind, in: source, format)
        backlog = PendingFrames(format: format)
        // The reader stands at the first frame. A seek to it would forget the damage that was found before it.
        hasLanded = reader.timeline?.run(at: .zero).format.sampleRate == format.sampleRate
    }

    /// Exact once all packets are counted. Reading the property counts the packets that have arrived: once, and for a
    /// file of three hours in some hundredths of a second.
    var length: AudioFileLength {
        while reader.indexMore() {}
        switch reader.timeline?.duration ?? .unknown {
        case .exact(let time): return .exact(format.frames(in: time))
        case .declared(let time), .estimated(let time): return .estimate(format.frames(in: time))
        case .unknown: return .unknown
        }
    }

    /// Returns the time of a target after counting the packets; `nil` if it is unknown.
    func time(of target: TimeTarget) -> Duration? {
        reader.count(for: target)
        return reader.timeline?.time(of: target)
    }

    let damage = FileDamage()
    var shortfall: AudioFileError? { reader.timeline?.shortfall.map { .reading(name, $0) } }

    var metadata: AudioMetadata { TrackMetadata.read(source) }

    func seek(to frame: Int64) {
        guard frame != position else { return }
        position = max(0, frame)
        (hasLanded, isAtEnd) = (false, false)
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

extension TrackFileReader {
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

    private static func timeline(
        of reader: any TrackReader, _ name: String
    ) throws(AudioFileError) -> any TrackTimeline {
        while true {
            if let timeline = reader.timeline { return timeline }
            switch reader.step() {
            case .progressed: continue
            case .notYetAvailable: throw .notArrived(path: name)
            case .lost(let failure): throw .reading(name, failure)
            case .failed(let failure): throw .unsupported(path: name, reason: failure.reason)
            case .ended: throw .unsupported(path: name, reason: "no audio found")
            }
        }
    }

    /// The longest loss to read as silence. A longer one is more likely a wrong number in a damaged file.
    private static let longestGap = Duration.seconds(60)

    /// Decodes the next packet, or performs another bounded step.
    private func advance() throws(Pause) {
        if !hasLanded { try land() }
        if lostFrames > 0 { return appendSilence() }
        if reader.block.frames == 0 { try step() }
        guard reader.block.frames > 0, try fillsGap(before: reader.block) else { return }
        nextTime = reader.block.time + reader.block.format.duration(ofFrames: Int64(reader.block.frames))
        try take(reader.block)
        reader.block.removeAll()
    }

    private func step() throws(Pause) {
        let step = reader.step()
        noteDamage()
        switch step {
        case .progressed: break
        case .ended: return try end()
        case .notYetAvailable:
            source.setReadPosition(from: reader.wantedOffset)
            throw .notYetAvailable
        case .lost(let failure), .failed(let failure): throw .lost(failure)
        }
    }

    private func noteDamage() {
        for part in [reader.damage, reader.silencedPacket] {
            if let part { damage.note(.reading(name, part)) }
        }
    }

    /// Begins to fill the place of lost frames with silence.
    /// - Returns: true if the block follows the last frame.
    /// - Throws: the damage, if the frames of the block would be misplaced.
    private func fillsGap(before block: PCMBlock) throws(Pause) -> Bool {
        guard let nextTime else { return true }
        let (gap, frame) = (block.time - nextTime, block.format.duration(ofFrames: 1))
        guard gap > frame || gap < .zero - frame else { return true }
        // Within a lost part, a seek lands at its end.
        let isSought = gap > .zero && nextTime > .zero
        guard let loss = reader.damage ?? (isSought ? Self.loss(of: gap) : nil) else { return true }
        guard conversion == nil, gap > .zero, gap <= Self.longestGap else { throw .lost(loss) }
        damage.note(.reading(name, loss))
        lostFrames = Int(format.frames(in: block.time) - format.frames(in: nextTime))
        self.nextTime = block.time
        return false
    }

    private static func loss(of gap: Duration) -> MediaFailure {
        let milliseconds = Int64(gap / .milliseconds(1))
        return MediaFailure(.badData, "the file is damaged: \(milliseconds) ms of sound are missing")
    }

    private func appendSilence() {
        let frames = min(lostFrames, 4096)
        lostFrames -= frames
        let silence = [Float](repeating: 0, count: frames * format.channels)
        silence.withUnsafeBufferPointer { backlog.append($0, of: format) }
    }

    /// Moves the reader to the frame at `position`.
    private func land() throws(Pause) {
        let time = format.duration(ofFrames: position)
        (conversion, run, nextTime, lostFrames, hasLanded) = (nil, nil, nil, 0, true)
        guard let current = reader.timeline?.run(at: time), current.format.sampleRate != format.sampleRate else {
            nextTime = time
            return reader.seek(to: .time(time))
        }
        // The converter needs some frames before the requested one.
        let ratio = RateRatio(from: current.format.sampleRate, to: format.sampleRate)
        let border = format.frames(in: current.start)
        let local = ratio.start(for: max(0, position - border))
        try convert(from: current.format, output: border + ratio.output(for: local), wanted: position)
        run = current.format
        reader.seek(to: .time(current.start + current.format.duration(ofFrames: local)))
    }

    private func take(_ block: PCMBlock) throws(Pause) {
        if block.format != run {
            let border = format.frames(in: block.time)
            try drain(to: border)
            run = block.format
            if block.format.sampleRate != format.sampleRate {
                try convert(from: block.format, output: border, wanted: border)
            }
        }
        keep(block.samples, block.format)
    }

    private func convert(from source: AudioFormat, output: Int64, wanted: Int64) throws(Pause) {
        do throws(DecodingError) {
            conversion = try RunConversion(from: source, to: format, output: output, wanted: wanted)
        } catch {
            throw .lost(MediaFailure(.badData, "cannot convert the sample rate: \(error)"))
        }
    }

    /// Ends the conversion of a run.
    /// - Parameter end: the frame at which the next run begins; `nil` if it is unknown.
    private func drain(to end: Int64?) throws(Pause) {
        guard let conversion else { return }
        self.conversion = nil
        do throws(DecodingError) {
            try conversion.drain(to: end) { backlog.append($0, of: format) }
        } catch {
            throw .lost(MediaFailure(.badData, "cannot convert the sample rate: \(error)"))
        }
    }

    private func end() throws(Pause) {
        isAtEnd = true
        try drain(to: reader.isWholeIndexed ? length.frames : nil)
    }

    /// - Parameter made: The format of the samples.
    private func keep(_ samples: UnsafeBufferPointer<Float>, _ made: AudioFormat) {
        if let conversion { return conversion.convert(samples) { backlog.append($0, of: format) } }
        guard made.channels != format.channels else { return backlog.append(samples, of: format) }
        guard let slice = AudioBufferSlice(reading: samples, format: made) else { return }
        do throws(AudioConversionError) {
            let mixed = try slice.converted(to: format)
            // A slice does not retain its memory.
            withExtendedLifetime(mixed) { backlog.append(mixed.slice) }
        } catch {
            // The formats differ in their channels only; a layout without a conversion is rejected before.
        }
    }
}
