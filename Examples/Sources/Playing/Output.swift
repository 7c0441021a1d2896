// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import Media

/// The destination of an example's sound: the value of `--output`.
public enum Output: Sendable, Equatable {
    /// `pulse`, `pulse:SINK`: a PulseAudio server; its default sink, unless one is named.
    case pulse(sink: String?)
    /// `null`: no sound, at the pace of a device.
    case null
    /// `wav:PATH`: a file of 32-bit floats, rendered as fast as possible, the same in each run.
    case wav(path: String)
    /// `offline`: like `wav`, without the file: the program only prints the number of frames and their checksum.
    case offline

    /// Parses the value of `--output`.
    /// - Parameter word: the value; the result is `nil` if it is not valid.
    public init?(_ word: String) {
        let parts = word.split(separator: ":", maxSplits: 1).map(String.init)
        switch (parts.first, parts.dropFirst().first) {
        case ("pulse", let sink): self = .pulse(sink: sink)
        case ("wav", let path?): self = .wav(path: path)
        case ("null", nil): self = .null
        case ("offline", nil): self = .offline
        default: return nil
        }
    }

    /// True if the sound plays in real time.
    public var isLive: Bool {
        switch self {
        case .pulse, .null: true
        case .wav, .offline: false
        }
    }

    /// Returns an empty graph for this output. Live, a separate thread delivers events, and moments are those of the
    /// clock; offline, the rendering thread delivers events, and moments are computed as if frame 0 played at moment
    /// 0.
    public func graph(_ format: AudioFormat) -> RenderGraph {
        guard !isLive else { return RenderGraph(format: format) }
        return RenderGraph(
            format: format, hostTimes: .nominal(origin: HostTime(nanoseconds: 0)), events: EventThread(every: nil))
    }
}
