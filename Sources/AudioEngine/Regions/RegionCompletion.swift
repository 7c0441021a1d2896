// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles

/// That a region is done with, told once for each kind asked for.
public struct RegionCompletion: Sendable, Equatable {
    /// What was done with the region's last frame.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// It was read; the file is no longer needed for this region.
        case dataRead
        /// It was rendered.
        case rendered
        /// It has left the device, as the player's clock says; without one, it was rendered.
        case heard
    }

    /// Why nothing of the region follows.
    public enum Reason: Sendable, Equatable {
        /// All of it was played.
        case finished
        /// The player was reset, or is no more.
        case reset
        /// Another region began before its end.
        case superseded
        /// The file could not give the rest.
        case failed(RegionFailure)
    }

    public let region: RegionID
    public let kind: Kind
    public let reason: Reason
    /// The frame of the player behind the region's last one.
    public let frame: Int64

    public init(region: RegionID, kind: Kind, reason: Reason, frame: Int64) {
        self.region = region
        self.kind = kind
        self.reason = reason
        self.frame = frame
    }
}

/// Why a file did not give what a region needs.
public enum RegionFailure: Error, Sendable, Equatable {
    case unreadable(AudioFileError)
    /// The file ended before this frame of its reader, which was to be played.
    case endedEarly(frame: Int64)
}

/// What a player has to tell beside completions; frames are the player's.
public enum RegionEvent: Sendable, Hashable {
    /// The start time had passed by that many frames when the first slice was rendered.
    case startedLate(by: Int64)
    /// The region's time had passed by that many frames when it was scheduled.
    case regionLate(RegionID, by: Int64)
    /// That many frames could not be rendered in time since this was last told, and were silent; all others stay in
    /// their places.
    case underrun(frames: Int)
}
