// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioContainers
package import Media

/// The map between the bytes and the times of a file in a container, as far as its tables and the indexed packets
/// determine it. A pure value.
package struct ContainerTimeline: TrackTimeline {
    let segments: [TrackSegment]
    let parser: any ContainerParser
    let index: PacketIndex
    /// The last packet read beyond the index, whose time is exact.
    let island: Place?
    /// True if all packets are indexed.
    let isWhole: Bool
    /// True if the end of the file was read, so that no other segment follows.
    let isEndKnown: Bool
    /// The frame after the last packet of the file, if it was read although not all packets are indexed.
    let finalFrame: Int64?
    /// The frame after the last packet, if the end of the file was read ahead.
    let endFrame: Int64?
    /// The decoded frames that the container declares, also if reading has shown another number; `nil` if none.
    let declaredFrames: Int64?
    /// True if the file has ended without the mark of its end.
    let isCutOff: Bool
    /// True if the file has more than one stream, of which the parser may have found only the first one.
    let isJoined: Bool
    package let totalLength: Int64?

    /// The time and the offset of a packet.
    struct Place {
        let time: Duration
        let offset: Int64
    }

    private var last: TrackSegment { segments[segments.count - 1] }

    package var maximumFormat: AudioFormat {
        // Most files have one segment, whose layout is kept.
        guard segments.count > 1 else { return last.track.format }
        let formats = segments.map(\.track.format)
        return AudioFormat(
            sampleRate: formats.map(\.sampleRate).max() ?? 0, channels: formats.map(\.channels).max() ?? 0)
    }

    package var codec: AudioCodec? { last.track.codec }

    package func run(at time: Duration) -> (format: AudioFormat, start: Duration) {
        let segment = segments[segment(at: time)]
        return (segment.track.format, segment.start)
    }

    package var audioStart: Int64 { index.audioStart ?? parser.readOffset }

    package var duration: MediaDuration {
        if isWhole, let entry = index.last { return .exact(end(index.end, of: segments[entry.segment])) }
        switch length {
        case .exact(let frames) where isEndKnown: return .exact(end(frames, of: last))
        case .exact(let frames): return .estimated(end(frames, of: last))
        case .declared(let frames): return .declared(end(frames, of: last))
        case .estimated(let frames): return .estimated(end(frames, of: last))
        case .unknown: break
        }
        guard let totalLength, let rate = meanByteRate else { return .unknown }
        return .estimated(.estimate(seconds: Double(max(0, totalLength - audioStart)) / rate))
    }

    /// The length that the parser states. Its lengths, frames and offsets count from the start of one segment, which
    /// need not be the last one.
    private var length: TrackLength {
        guard !isJoined else { return .unknown }
        switch parser.length {
        case .exact, .declared: return parser.length
        // The numbers may begin again in between, as in joined files.
        case .estimated, .unknown: return endFrame.map { .estimated($0) } ?? parser.length
        }
    }

    private func end(_ frames: Int64, of segment: TrackSegment) -> Duration {
        segment.time(of: min(frames, segment.track.end ?? frames))
    }

    /// The failure of a file that ends before the length it declares, or without the mark of its end.
    package var shortfall: MediaFailure? {
        guard let containedFrames else { return nil }
        // Joined files do not declare the length of all.
        guard segments.count == 1, let declaredFrames = declaredFrames ?? parser.statedFrames,
            containedFrames + slack < min(declaredFrames, last.track.end ?? declaredFrames)
        else { return isCutOff ? MediaFailure(.badData, "the file is truncated: its end is missing") : nil }
        let amount = part(containedFrames, of: declaredFrames)
        return MediaFailure(.badData, "the file is damaged or truncated: it has \(amount)")
    }

    package var statedEnd: Duration? {
        guard segments.count == 1 else { return nil }
        return (declaredFrames ?? parser.statedFrames).map { end($0, of: last) }
    }

    /// Returns two numbers of frames in seconds, rounded to one decimal place, or to as many as they need to differ.
    private func part(_ frames: Int64, of allFrames: Int64) -> String {
        let lengths = [frames, allFrames].map { last.track.format.duration(ofFrames: $0) / .seconds(1) }
        var (unit, texts): (Int64, [String]) = (1, [])
        repeat {
            unit *= 10
            texts = lengths.map { Self.decimal($0, unit: unit) }
        } while texts[0] == texts[1] && unit < 1_000_000
        return "\(texts[0]) of \(texts[1]) seconds"
    }

    /// Returns a number rounded to the decimal places of `unit`, a power of ten.
    private static func decimal(_ value: Double, unit: Int64) -> String {
        let count = Int64(estimate: value * Double(unit))
        return "\(count / unit).\(String(unit + count % unit).dropFirst())"
    }

    /// The number of decoded frames in the file: those of all packets, or for PCM the number that fits into its length.
    /// `nil` until it is known.
    private var containedFrames: Int64? {
        if isWhole, index.last != nil { return index.end }
        if let finalFrame { return finalFrame }
        guard case .pcm = last.track.codec, totalLength != nil else { return nil }
        switch length {
        case .exact(let frames), .declared(let frames): return frames
        case .estimated, .unknown: return nil
        }
    }

    /// The frames that may be missing at the end: some writers of WAV count the bytes of the header, and times are
    /// rounded.
    private var slack: Int64 {
        guard case .pcm(let encoding) = last.track.codec else { return parser.statedTolerance }
        return Self.longestHeader / Int64(last.track.format.channels * encoding.bytesPerSample)
    }

    private static let longestHeader: Int64 = 1024

    /// Returns the number of the segment that contains a time.
    func segment(at time: Duration) -> Int { segments.lastIndex { $0.start <= time } ?? 0 }

    package func time(atByte offset: Int64) -> Duration? {
        if !isJoined, let frame = parser.frame(atOffset: offset) { return last.time(of: frame) }
        if let place = index.place(atByte: offset) { return segments[place.segment].time(of: place.frame) }
        guard let place = nearest, let rate = byteRate else { return nil }
        return max(.zero, place.time + .estimate(seconds: Double(offset - place.offset) / rate))
    }

    package func byte(atTime time: Duration) -> Int64? {
        let number = segment(at: time)
        let frame = segments[number].frame(at: time)
        if !isJoined, let offset = parser.offset(ofFrame: frame) { return offset }
        if let offset = index.offset(of: frame, number) { return offset }
        guard let place = nearest, let rate = byteRate else { return nil }
        return max(audioStart, place.offset + Int64(estimate: (time - place.time) / .seconds(1) * rate))
    }

    package func time(ofArrived offset: Int64) -> Duration? { time(atByte: offset) }

    /// Returns the frame at which the last segment ends: as the file states it, else as expected, else estimated.
    func estimatedEnd(expected: Duration?) -> Int64? {
        switch duration {
        case .exact(let time), .declared(let time): last.frame(at: time)
        case .estimated(let time): last.frame(at: expected ?? time)
        case .unknown: expected.map(last.frame)
        }
    }

    private var indexed: Place? {
        index.last.map { Place(time: segments[$0.segment].time(of: $0.frame), offset: $0.offset) }
    }

    /// The place from which others are estimated.
    private var nearest: Place? { island ?? indexed }

    /// The mean bytes per second up to the farthest packet read, of at least one second.
    package var meanByteRate: Double? {
        guard let place = nearest, place.time >= .seconds(1), place.offset > audioStart else { return nil }
        return Double(place.offset - audioStart) / (place.time / .seconds(1))
    }

    /// The mean bytes per second beyond the packets read.
    private var byteRate: Double? {
        guard let totalLength, let place = nearest, let length = statedLength, length > place.time,
            totalLength > place.offset
        else { return meanByteRate }
        return Double(totalLength - place.offset) / ((length - place.time) / .seconds(1))
    }

    /// The duration that the container states.
    private var statedLength: Duration? {
        switch length {
        case .exact(let frames), .declared(let frames): end(frames, of: last)
        case .estimated, .unknown: nil
        }
    }
}

extension Duration {
    /// Returns an estimated time in microseconds, limited to ±10¹² seconds.
    fileprivate static func estimate(seconds: Double) -> Duration { .microseconds(Int64(estimate: seconds * 1e6)) }
}
