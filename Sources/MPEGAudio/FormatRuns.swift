// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The runs of a stream: stretches of packets of one format, each with the PCM frame and the time at which it begins.
///
/// An advertisement of 48 kHz in front of content of 44.1 kHz makes two. Frames and times count from the first of
/// packet 0; what lies beyond the last packet known counts as the last run's kind.
public struct FormatRuns: Sendable, Equatable {
    /// Packets of one format.
    public struct Run: Sendable, Equatable {
        /// The first packet, and the first PCM frame it makes.
        public let packet: Int64
        public let frame: Int64
        /// When that frame sounds.
        public let time: Duration
        public let header: MPEGFrameHeader

        public var format: AudioFormat { AudioFormat(sampleRate: header.sampleRate, channels: header.channels) }
        public var packetFrames: Int64 { Int64(header.samplesPerFrame) }
    }

    public let first: Run
    private var later: [Run] = []

    /// - Parameter header: the first packet's.
    public init(_ header: MPEGFrameHeader) {
        first = Run(packet: 0, frame: 0, time: .zero, header: header)
    }

    public var last: Run { later.last ?? first }
    /// Whether the format changes.
    public var isMixed: Bool { !later.isEmpty }
    /// The highest rate, and the most channels.
    public var widest: AudioFormat {
        later.reduce(first.format) { widest, run in
            AudioFormat(
                sampleRate: max(widest.sampleRate, run.header.sampleRate),
                channels: max(widest.channels, run.header.channels))
        }
    }

    /// Notes the header of a packet that follows all those known.
    public mutating func append(_ header: MPEGFrameHeader, ofPacket packet: Int64) {
        guard !last.header.matches(header), packet > last.packet else { return }
        let frame = decodedFrame(ofPacket: packet)
        later.append(Run(packet: packet, frame: frame, time: time(ofDecoded: frame), header: header))
    }

    /// The same runs up to `packet`, where one of packets like `header` begins.
    public func cut(at packet: Int64, continuedBy header: MPEGFrameHeader) -> FormatRuns {
        guard packet > 0 else { return FormatRuns(header) }
        var runs = self
        runs.later.removeAll { $0.packet >= packet }
        runs.append(header, ofPacket: packet)
        return runs
    }

    // MARK: Packets, frames and times

    public func run(ofPacket packet: Int64) -> Run { later.lastSorted { $0.packet <= packet } ?? first }
    public func run(ofDecoded frame: Int64) -> Run { later.lastSorted { $0.frame <= frame } ?? first }
    func run(at time: Duration) -> Run { later.lastSorted { $0.time <= time } ?? first }
    /// The run behind the one that has this packet.
    func run(after run: Run) -> Run? {
        guard let index = later.firstIndex(where: { $0.packet > run.packet }) else { return nil }
        return later[index]
    }

    /// The PCM frame with which packet `packet` begins, within half of what an `Int64` holds.
    public func decodedFrame(ofPacket packet: Int64) -> Int64 {
        let run = run(ofPacket: packet)
        let (frames, overflow) = (packet - run.packet).multipliedReportingOverflow(by: run.packetFrames)
        let limit = Int64.max / 2
        guard !overflow else { return packet < 0 ? -limit : limit }
        return min(max(-limit, run.frame.addingReportingOverflow(frames).partialValue), limit)
    }

    /// The packet that makes the PCM frame; 0 for one before the first.
    public func packet(ofDecoded frame: Int64) -> Int64 {
        let run = run(ofDecoded: frame)
        return run.packet + max(0, frame - run.frame) / run.packetFrames
    }

    /// When the PCM frame sounds.
    public func time(ofDecoded frame: Int64) -> Duration {
        let run = run(ofDecoded: frame)
        return run.time + run.format.duration(ofFrames: frame - run.frame)
    }
}
