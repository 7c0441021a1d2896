// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioEngine
public import Media

/// Where the sound of an example goes: what `--output` says.
public enum Output: Sendable, Equatable {
    /// `pulse`, `pulse:SINK`: a PulseAudio server, and its default sink unless one is named.
    case pulse(sink: String?)
    /// `null`: nobody, at a device's pace.
    case null
    /// `wav:PATH`: a file of 32-bit floats, as fast as it can be rendered, and the same in each run.
    case wav(path: String)
    /// `offline`: as `wav`, without the file: how much it was, and its checksum, are all that is left.
    case offline

    /// - Parameter word: what stands behind `--output`; `nil` comes back where it means nothing.
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

    /// Somebody hears it, or might.
    public var isLive: Bool {
        switch self {
        case .pulse, .null: true
        case .wav, .offline: false
        }
    }

    /// An empty graph for it. Live, a thread of its own tells what happens, and moments are those of the clock;
    /// offline, whoever renders tells, and the clock says what it would if frame 0 were heard at moment 0.
    public func graph(_ format: AudioFormat) -> RenderGraph {
        guard !isLive else { return RenderGraph(format: format) }
        return RenderGraph(
            format: format, hostTimes: .nominal(origin: HostTime(nanoseconds: 0)), events: EventThread(every: nil))
    }
}
