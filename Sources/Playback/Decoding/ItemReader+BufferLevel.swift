// SPDX-License-Identifier: GPL-3.0-or-later
import Media
import TrackReading

extension ItemReader {
    /// Returns the buffer level of the item.
    /// - Parameters:
    ///   - decoded: the duration of the sound in the ring.
    ///   - expected: the duration that the whole item is expected to have.
    func bufferLevel(decoded: Duration, expected: Duration?) -> BufferLevel {
        let downloadProgress = source.downloadProgress
        guard let timeline else { return bufferLevel(before: downloadProgress, expected) }
        let available = downloadProgress.extents.contiguousEnd(from: readOffset)
        let place = place(in: timeline)
        let arrived = arrivedTime(in: timeline, upTo: available) ?? place
        let byteRate = timeline.byteRate(total: downloadProgress.total, expected: expected)
        let preceding = downloadProgress.missing(before: readOffset)
        let (end, length) = end(of: timeline, downloadProgress, expected)
        return BufferLevel(
            buffered: decoded + max(.zero, arrived - place),
            remaining: length.map { max(.zero, $0 - place) + decoded },
            missing: end.map { preceding + downloadProgress.extents.missing(in: readOffset..<max(readOffset, $0)) },
            byteRate: byteRate,
            // A seek to a target that is not indexed reads up to it.
            preceding: preceding + Self.bytes(in: max(.zero, place - arrived), at: byteRate),
            throughput: downloadProgress.throughput,
            isStalled: downloadProgress.isStalled)
    }

    /// Returns the number of bytes of a time; 0 while the rate is unknown.
    private static func bytes(in time: Duration, at rate: Double?) -> Int64 {
        guard let rate else { return 0 }
        return Int64(min(1e15, (time / .seconds(1)) * rate))
    }

    /// Returns the time at the end of the read bytes. The frame numbers of an island are estimates, so its byte
    /// offset is used.
    private func place(in timeline: any TrackTimeline) -> Duration {
        guard !isOnIsland, let nextTime else { return timeline.time(atByte: readOffset) ?? .zero }
        return nextTime
    }

    /// Returns the time at the end of the downloaded bytes, on the scale of `place`: counted within the index, at the
    /// mean rate beyond it.
    private func arrivedTime(in timeline: any TrackTimeline, upTo available: Int64) -> Duration? {
        isOnIsland ? timeline.time(atByte: available) : timeline.time(ofArrived: available)
    }

    /// Returns the buffer level before the first packet is found, when at most a tag was found.
    private func bufferLevel(before downloadProgress: DownloadProgress, _ expected: Duration?) -> BufferLevel {
        let rate = expected.flatMap { expected in
            downloadProgress.total.map { Double($0) / max(1, expected / .seconds(1)) }
        }
        return BufferLevel(
            buffered: .zero, remaining: expected,
            missing: downloadProgress.total.map { max(1, $0 - downloadProgress.extents.count) },
            byteRate: rate, preceding: downloadProgress.missing(before: readOffset),
            throughput: downloadProgress.throughput, isStalled: downloadProgress.isStalled)
    }

    /// Returns the end of the item in bytes and in time; `nil` for unknown values.
    private func end(of timeline: any TrackTimeline, _ downloadProgress: DownloadProgress, _ expected: Duration?) -> (
        Int64?, Duration?
    ) {
        let length = timeline.duration.value ?? expected
        guard let end = item.end, let time = timeline.time(of: end) else {
            return (downloadProgress.total ?? expectedEnd(of: timeline, downloadProgress, expected), length)
        }
        // With an estimate that is too low, each packet would be played separately.
        let byte = timeline.byte(atTime: time).map {
            min($0 + max(64 << 10, $0 / 100), downloadProgress.total ?? .max)
        }
        return (byte ?? downloadProgress.total, min(time, length ?? time))
    }

    /// Returns the expected end if the server gives no length; `nil` if the download already exceeds it.
    private func expectedEnd(
        of timeline: any TrackTimeline, _ downloadProgress: DownloadProgress, _ expected: Duration?
    ) -> Int64? {
        guard let expected, let end = timeline.byte(atTime: expected) else { return nil }
        return end > downloadProgress.extents.upperBound ?? 0 ? end : nil
    }
}

extension DownloadProgress {
    /// Returns the number of missing bytes that arrive before the byte at `offset`; 0 if it arrived, or if the download
    /// requests it separately.
    func missing(before offset: Int64) -> Int64 {
        let offset = min(offset, total ?? offset)
        let stored = extents.ranges.last { $0.lowerBound <= offset }?.upperBound ?? 0
        guard offset > stored else { return 0 }
        guard canSkipAhead else { return extents.missing(in: 0..<offset) }
        let limit = SkipDistance.limit(bytesPerSecond: bytesPerSecond, answer: answer)
        return offset - stored > limit ? 0 : offset - stored
    }

    /// True if no more bytes arrive, if none arrive until the disk has space, or if the next retry is more than 30
    /// seconds away.
    var isStalled: Bool {
        switch condition {
        case .complete, .failed, .held: true
        case .backingOff(let backoff): backoff.retryIn.map { $0 > .seconds(30) } ?? false
        case .connecting, .receiving: false
        }
    }
}
