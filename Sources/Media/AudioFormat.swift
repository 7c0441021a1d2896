// SPDX-License-Identifier: GPL-3.0-or-later

/// The format of PCM, comparable to `AudioStreamBasicDescription` and `AVAudioFormat`.
///
/// Interleaved audio has all channels in one plane, frame by frame; planar audio has one plane for each channel. The
/// package processes all playback as interleaved Float32 in this machine's byte order, the format that
/// `init(sampleRate:channels:)` creates.
public struct AudioFormat: Sendable, Hashable, BitwiseCopyable {
    /// PCM frames per second.
    public let sampleRate: Int
    /// Samples per PCM frame. Like the sample rate, the value is stored unchecked: converters and writers throw for
    /// an impossible value, and the render path clamps it to 1...1024.
    public let channels: Int
    public let sampleType: SampleType
    public let isInterleaved: Bool
    public let byteOrder: ByteOrder
    public let layout: ChannelLayout

    /// - Parameter layout: the speaker layout; `nil` selects the standard layout for that many channels.
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

    /// The sample rates of supported files. The rate in a header determines the memory for a second of audio, and how
    /// many frames the shortest buffer has.
    package static let supportedRates = 1000...768_000

    /// The distance in bytes from one frame to the next in one plane.
    public var bytesPerFrame: Int {
        @_noLocks @_noAllocation get { isInterleaved ? channels &* sampleType.bytes : sampleType.bytes }
    }
    /// The number of planes: one for interleaved audio, otherwise one per channel.
    public var planes: Int { @_noLocks @_noAllocation get { isInterleaved ? 1 : channels } }
    /// True if this is the format of the render path.
    public var isRenderable: Bool { sampleType == .float32 && isInterleaved && byteOrder == .native }

    /// The sample rate for computing times: clamped to 1...2³², because no format has a rate outside that range.
    private var usableRate: Int64 { Int64(min(max(1, sampleRate), 1 << 32)) }

    /// Returns the duration of `frames` PCM frames.
    public func duration(ofFrames frames: Int64) -> Duration {
        let rate = usableRate
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
        return Duration(
            secondsComponent: seconds,
            attosecondsComponent: rest * (1_000_000_000_000_000_000 / rate))
    }

    /// Returns the PCM frame at `time`, rounded to the nearest.
    public func frames(in time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        let rate = usableRate
        let part = (attoseconds / 1_000_000_000 * rate + 500_000_000) / 1_000_000_000
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: rate)
        let all = overflow ? (seconds < 0 ? .min : .max) : whole
        return min(max(all, .min / 2), .max / 2) + part
    }
}
