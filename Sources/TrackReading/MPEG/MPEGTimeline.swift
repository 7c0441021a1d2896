// SPDX-License-Identifier: GPL-3.0-or-later
package import AudioContainers
package import MPEGAudio
package import Media

/// The map between one track's packets, bytes and times, as far as its index and its tags determine it. A pure value.
package struct MPEGTimeline: TrackTimeline {
    package let packets: PacketFacts
    package let gapless: GaplessFacts

    /// The results of the packet reader.
    package struct PacketFacts {
        var first: MPEGPacket
        var stream: IndexedStream
        var totalLength: Int64?
        /// The duration that the whole track is expected to have.
        var expectedDuration: Duration?

        var info: StreamInfo? { stream.info }
        var index: FrameIndex { stream.index }
        var isWholeIndexed: Bool { stream.isWhole }
    }

    private var header: MPEGFrameHeader { packets.first.header }

    /// The map of packets, frames and times: exact within the index; beyond it, all packets are assumed to have the
    /// last format.
    package var frames: PacketTimeline { PacketTimeline(runs: runs, start: gapless.start) }
    private var runs: FormatRuns { packets.index.runs ?? FormatRuns(header) }

    /// The estimated positions beyond the index.
    var estimate: DurationEstimate {
        packets.stream.estimate(
            from: packets.first, gapless, totalLength: packets.totalLength, expected: packets.expectedDuration)
    }

    package var duration: MediaDuration { estimate.duration }
    package var codec: AudioCodec? { nil }
    package var totalLength: Int64? { packets.totalLength }
    package var maximumFormat: AudioFormat { runs.maximumFormat }
    package var audioStart: Int64 { packets.first.offset }

    /// The failure of a file that is shorter than it declares, because the server has only a part of it.
    package var shortfall: MediaFailure? { packets.stream.shortfall(header, totalLength: packets.totalLength) }
    package var statedEnd: Duration? { packets.info?.declaredFrames.map(frames.time(ofPacket:)) }

    package func run(at time: Duration) -> (format: AudioFormat, start: Duration) {
        let run = runs.run(ofDecoded: frames.frame(at: time) + gapless.start)
        return (run.format, frames.time(ofFrame: max(0, run.frame - gapless.start)))
    }

    /// Returns the time of the byte at `offset`: exact to 8 packets if it is indexed, otherwise an estimate.
    package func time(atByte offset: Int64) -> Duration? {
        if let packet = packets.index.packetNumber(atOffset: offset) {
            return frames.time(ofPacket: packet)
        }
        return estimate.time(atByte: offset)
    }

    package func byte(atTime time: Duration) -> Int64? { estimate.byte(atTime: time) }

    /// Returns the time that can be played with the downloaded bytes up to `offset`.
    package func time(ofArrived offset: Int64) -> Duration? {
        guard let frontier = packets.index.frontier, offset >= frontier.offset, let rate = meanByteRate, rate > 0
        else { return time(atByte: offset) }
        return frames.time(ofPacket: packets.index.count) + .seconds(Double(offset - frontier.offset) / rate)
    }

    package var meanByteRate: Double? {
        guard let frontier = packets.index.frontier, packets.index.count > 0 else { return nil }
        let time = runs.time(ofDecoded: runs.decodedFrame(ofPacket: packets.index.count))
        return Double(frontier.offset - packets.first.offset) / (time / .seconds(1))
    }
}
