// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioContainers
package import Media

/// The map between the bytes and the times of one track, as far as its index and its tags determine it.
package protocol TrackTimeline {
    var duration: MediaDuration { get }
    /// The codec; `nil` for MPEG audio.
    var codec: AudioCodec? { get }
    /// The highest rate and the largest number of channels known so far.
    var maximumFormat: AudioFormat { get }
    /// The length of the file in bytes; `nil` while unknown.
    var totalLength: Int64? { get }
    /// The offset of the first packet.
    var audioStart: Int64 { get }
    /// The mean bytes per second of the packets read so far; `nil` if they are too few.
    var meanByteRate: Double? { get }
    /// The failure of a file that is shorter than it declares, because the server has only a part of it.
    var shortfall: MediaFailure? { get }
    /// The time at which the file ends according to its own header or tag; `nil` if that states none.
    var statedEnd: Duration? { get }

    /// Returns the format of the frames at a time, and the time from which on all frames up to there have it.
    func run(at time: Duration) -> (format: AudioFormat, start: Duration)
    /// Returns the time of the byte at `offset`: exact if it is indexed, otherwise an estimate.
    func time(atByte offset: Int64) -> Duration?
    /// Returns the byte of a time: exact if it is indexed, otherwise an estimate.
    func byte(atTime time: Duration) -> Int64?
    /// Returns the time that can be played with the downloaded bytes up to `offset`.
    func time(ofArrived offset: Int64) -> Duration?
}

extension TrackTimeline {
    /// Returns the bytes per second of sound: of the whole track if its length is known, otherwise so far.
    /// - Parameter expected: the duration that the whole track is expected to have.
    package func byteRate(total: Int64?, expected: Duration?) -> Double? {
        guard let total, let length = duration.value ?? expected, length > .zero else { return meanByteRate }
        return Double(total) / (length / .seconds(1))
    }

    /// Returns the time of `target`; `nil` while it depends on an unknown duration, or on a packet whose time cannot be
    /// estimated. In another version of the file, a packet is looked for at the same part of its bytes.
    package func time(of target: TimeTarget) -> Duration? {
        switch target {
        case .time(let time): max(.zero, time)
        case .fraction(let part): duration.value.map { $0 * max(0, min(1, part)) }
        case .estimated(let time, let anchor): self.time(time, from: anchor)
        }
    }

    private func time(_ estimate: Duration, from anchor: TimeAnchor) -> Duration? {
        guard let totalLength, anchor.totalLength > 0 else { return max(.zero, estimate) }
        let part = Double(totalLength) / Double(anchor.totalLength)
        return time(atByte: Int64(estimate: Double(anchor.offset) * part)).map {
            max(.zero, $0 + estimate - anchor.time)
        }
    }

    /// Returns the failure of a truncated file whose missing part may contain a time. A file that states its end
    /// contains none after it.
    package func shortfall(at time: Duration) -> MediaFailure? {
        if let statedEnd, time >= statedEnd { return nil }
        return shortfall
    }

    /// Returns the ranges of time whose bytes are in `extents`.
    package func buffered(_ extents: ByteRangeSet) -> [Range<Duration>] {
        let end = duration.value
        return extents.ranges.compactMap { range in
            guard let from = time(atByte: max(range.lowerBound, audioStart)),
                let to = range.upperBound == totalLength ? end : time(atByte: range.upperBound), from < to
            else { return nil }
            return from..<to
        }
    }
}
