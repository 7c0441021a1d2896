// SPDX-License-Identifier: GPL-3.0-or-later
public import Media

/// The runs of a stream: sequences of packets of one format, each with its first PCM frame and its start time.
///
/// An advertisement at 48 kHz before content at 44.1 kHz makes two runs. Frames and times are counted from the first
/// frame of packet 0. Packets beyond the last known one are assumed to have the last run's format.
public struct FormatRuns: Sendable, Equatable {
    /// A run of consecutive packets of one format.
    public struct Run: Sendable, Equatable {
        /// The number of the first packet, and of its first PCM frame.
        public let packet: Int64
        public let frame: Int64
        /// The start time of that frame.
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
    /// True if the stream has more than one format.
    public var isMixed: Bool { !later.isEmpty }
    /// The highest sample rate and the largest channel count of all runs.
    public var maximumFormat: AudioFormat {
        later.reduce(first.format) { widest, run in
            AudioFormat(
                sampleRate: max(widest.sampleRate, run.header.sampleRate),
                channels: max(widest.channels, run.header.channels))
        }
    }

    /// Adds the header of a packet after all known ones; begins a run if the format differs.
    public mutating func append(_ header: MPEGFrameHeader, ofPacket packet: Int64) {
        guard !last.header.matches(header), packet > last.packet else { return }
        let frame = decodedFrame(ofPacket: packet)
        later.append(Run(packet: packet, frame: frame, time: time(ofDecoded: frame), header: header))
    }

    /// Returns the runs before `packet`, followed by a run of packets like `header`.
    public func cut(at packet: Int64, continuedBy header: MPEGFrameHeader) -> FormatRuns {
        guard packet > 0 else { return FormatRuns(header) }
        var runs = self
        runs.later.removeAll { $0.packet >= packet }
        runs.append(header, ofPacket: packet)
        return runs
    }

    // MARK: Packets, frames and times

    /// Returns the run that contains the packet.
    public func run(ofPacket packet: Int64) -> Run { later.lastSorted { $0.packet <= packet } ?? first }
    /// Returns the run that contains the PCM frame.
    public func run(ofDecoded frame: Int64) -> Run { later.lastSorted { $0.frame <= frame } ?? first }
    func run(at time: Duration) -> Run { later.lastSorted { $0.time <= time } ?? first }
    /// Returns the run after the one with this packet.
    func run(after run: Run) -> Run? {
        guard let index = later.firstIndex(where: { $0.packet > run.packet }) else { return nil }
        return later[index]
    }

    /// Returns the first PCM frame of the packet, limited to half the range of `Int64`.
    public func decodedFrame(ofPacket packet: Int64) -> Int64 {
        let run = run(ofPacket: packet)
        let (frames, overflow) = (packet - run.packet).multipliedReportingOverflow(by: run.packetFrames)
        let limit = Int64.max / 2
        guard !overflow else { return packet < 0 ? -limit : limit }
        return min(max(-limit, run.frame.addingReportingOverflow(frames).partialValue), limit)
    }

    /// Returns the packet that contains the PCM frame; 0 for a frame before the first.
    public func packet(ofDecoded frame: Int64) -> Int64 {
        let run = run(ofDecoded: frame)
        return run.packet + max(0, frame - run.frame) / run.packetFrames
    }

    /// Returns the time of the PCM frame.
    public func time(ofDecoded frame: Int64) -> Duration {
        let run = run(ofDecoded: frame)
        return run.time + run.format.duration(ofFrames: frame - run.frame)
    }
}
