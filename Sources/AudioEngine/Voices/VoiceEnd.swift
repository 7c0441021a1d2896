// SPDX-License-Identifier: GPL-3.0-or-later

/// Names a voice of a sampler, for ever: what is asked of one that has ended does nothing.
public struct VoiceID: Sendable, Hashable, BitwiseCopyable {
    let slot: UInt32
    let generation: UInt32
}

/// That a voice is heard no more.
public struct VoiceEnd: Sendable, Hashable, BitwiseCopyable {
    public enum Reason: UInt8, Sendable, Hashable, BitwiseCopyable {
        /// It was played to its end.
        case finished
        /// It was stopped, and has faded out.
        case stopped
        /// Another voice took its place.
        case stolen
        /// It never sounded: too many others did.
        case refused
        /// The sampler is no more.
        case closed
    }

    public let voice: VoiceID
    public let reason: Reason
    /// The graph's frame behind its last one.
    public let frame: Int64

    @_noLocks @_noAllocation
    public init(voice: VoiceID, reason: Reason, frame: Int64) {
        self.voice = voice
        self.reason = reason
        self.frame = frame
    }
}

/// What happens when a voice begins while as many sound as may.
public enum VoiceStealing: UInt8, Sendable, Hashable, BitwiseCopyable {
    /// The one that began first fades.
    case oldest
    /// The one with the lowest gain fades, of several the one that began first.
    case quietest
    /// The new one is not heard.
    case refuse
}
