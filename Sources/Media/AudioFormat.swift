// SPDX-License-Identifier: GPL-3.0-or-later

/// The format of PCM: what `AudioStreamBasicDescription` and `AVAudioFormat` describe elsewhere.
///
/// Interleaved, all channels lie in one plane, frame by frame; planar, each channel has a plane of its own. Everything
/// that is played runs through the package as interleaved Float32 in this machine's byte order, which is what
/// `init(sampleRate:channels:)` makes.
public struct AudioFormat: Sendable, Hashable, BitwiseCopyable {
    /// PCM frames per second.
    public let sampleRate: Int
    /// Samples per PCM frame. It is what it was made with, as the rate is, even if no such sound can be: whoever
    /// converts or writes such a format throws, and the render path brings it to 1...1024.
    public let channels: Int
    public let sampleType: SampleType
    public let isInterleaved: Bool
    public let byteOrder: ByteOrder
    public let layout: ChannelLayout

    /// - Parameter layout: `nil` is what that many channels are as a rule.
    public init(
        sampleRate: Int, channels: Int, sampleType: SampleType = .float32, isInterleaved: Bool = true,
        byteOrder: ByteOrder = .native, layout: ChannelLayout? = nil
    ) {
        self.sampleRate = sampleRate
        self.channels = channels
        self.sampleType = sampleType
        self.isInterleaved = isInterleaved
        self.byteOrder = byteOrder
        self.layout = layout ?? .standard(channels: channels)
    }

    /// Bytes from one frame to the next in one plane.
    public var bytesPerFrame: Int {
        @_noLocks @_noAllocation get { isInterleaved ? channels &* sampleType.bytes : sampleType.bytes }
    }
    /// The planes that hold it: one interleaved, else one for each channel.
    public var planes: Int { @_noLocks @_noAllocation get { isInterleaved ? 1 : channels } }
    /// What the render path computes in.
    public var isRenderable: Bool { sampleType == .float32 && isInterleaved && byteOrder == .native }

    /// The rate that times are computed with: one that no format can have, below 1 or above 2³², counts as that.
    private var usableRate: Int64 { Int64(min(max(1, sampleRate), 1 << 32)) }

    /// The time `frames` PCM frames last.
    public func duration(ofFrames frames: Int64) -> Duration {
        let rate = usableRate
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
        return Duration(
            secondsComponent: seconds,
            attosecondsComponent: rest * (1_000_000_000_000_000_000 / rate))
    }

    /// The PCM frame that sounds at `time`, rounded to the nearest.
    public func frames(in time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        let rate = usableRate
        let part = (attoseconds / 1_000_000_000 * rate + 500_000_000) / 1_000_000_000
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: rate)
        let all = overflow ? (seconds < 0 ? .min : .max) : whole
        return min(max(all, .min / 2), .max / 2) + part
    }
}
