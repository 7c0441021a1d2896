// SPDX-License-Identifier: GPL-3.0-or-later

/// A permanent identifier of a voice of a sampler. Commands to a voice that has ended have no effect.
public struct VoiceID: Sendable, Hashable, BitwiseCopyable {
    let slot: UInt32
    let generation: UInt32
}

/// A report that a voice has ended.
public struct VoiceEnd: Sendable, Hashable, BitwiseCopyable {
    /// The reason why a voice has ended.
    public enum Reason: UInt8, Sendable, Hashable, BitwiseCopyable {
        /// The voice was played to its end.
        case finished
        /// The voice was stopped, and has faded out.
        case stopped
        /// Another voice replaced it.
        case stolen
        /// The voice never played, because too many others did.
        case refused
        /// The sampler was released.
        case closed
    }

    public let voice: VoiceID
    public let reason: Reason
    /// The graph's frame after the last one of the voice.
    public let frame: Int64

    @_noLocks @_noAllocation
    public init(voice: VoiceID, reason: Reason, frame: Int64) {
        self.voice = voice
        self.reason = reason
        self.frame = frame
    }
}

/// The treatment of a voice that begins while the maximum number of voices plays.
public enum VoiceStealing: UInt8, Sendable, Hashable, BitwiseCopyable {
    /// The voice that began first fades.
    case oldest
    /// The voice with the lowest gain fades; of several, the one that began first.
    case quietest
    /// The new voice does not play.
    case refuse
}
