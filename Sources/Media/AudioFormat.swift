// SPDX-License-Identifier: GPL-3.0-or-later

/// The format of PCM in this package: interleaved Float32, full scale ±1.
public struct AudioFormat: Sendable, Hashable {
    /// PCM frames per second.
    public let sampleRate: Int
    /// Samples per PCM frame, 1 or more.
    public let channels: Int

    public init(sampleRate: Int, channels: Int) {
        self.sampleRate = sampleRate
        self.channels = channels
    }

    public var bytesPerFrame: Int { channels * MemoryLayout<Float>.size }

    /// The time `frames` PCM frames last.
    public func duration(ofFrames frames: Int64) -> Duration {
        let rate = Int64(sampleRate)
        let (seconds, rest) = frames.quotientAndRemainder(dividingBy: rate)
        return Duration(
            secondsComponent: seconds,
            attosecondsComponent: rest * (1_000_000_000_000_000_000 / rate))
    }

    /// The PCM frame that sounds at `time`, rounded to the nearest.
    public func frames(in time: Duration) -> Int64 {
        let (seconds, attoseconds) = time.components
        let rate = Int64(sampleRate)
        let part = (attoseconds / 1_000_000_000 * rate + 500_000_000) / 1_000_000_000
        let (whole, overflow) = seconds.multipliedReportingOverflow(by: rate)
        let all = overflow ? (seconds < 0 ? .min : .max) : whole
        return min(max(all, .min / 2), .max / 2) + part
    }
}
