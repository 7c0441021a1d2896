// SPDX-License-Identifier: GPL-3.0-or-later
public import AudioFiles

/// A report that a region is complete, delivered once for each requested kind.
public struct RegionCompletion: Sendable, Equatable {
    /// The processing step that the region's last frame has completed.
    public enum Kind: Sendable, Hashable, CaseIterable {
        /// The frame was read; the region no longer needs the file.
        case dataRead
        /// The frame was rendered.
        case rendered
        /// The frame has left the device, according to the player's clock; without a clock, it was rendered.
        case heard
    }

    /// The reason why the region has ended.
    public enum Reason: Sendable, Equatable {
        /// The whole region was played.
        case finished
        /// The player was reset or released.
        case reset
        /// Another region began before its end.
        case superseded
        /// The file could not deliver the rest.
        case failed(RegionFailure)
    }

    public let region: RegionID
    public let kind: Kind
    public let reason: Reason
    /// The frame of the player after the region's last one.
    public let frame: Int64

    public init(region: RegionID, kind: Kind, reason: Reason, frame: Int64) {
        self.region = region
        self.kind = kind
        self.reason = reason
        self.frame = frame
    }
}

/// An error that explains why a file did not deliver the frames of a region.
public enum RegionFailure: Error, Sendable, Equatable {
    case unreadable(AudioFileError)
    /// The file ended before this frame of its reader, which the region requires.
    case endedEarly(frame: Int64)
}

/// An event of a player other than a completion; frames are the player's.
public enum RegionEvent: Sendable, Hashable {
    /// The start time had passed by this many frames when the first slice was rendered.
    case startedLate(by: Int64)
    /// The region's time had passed by this many frames when it was scheduled.
    case regionLate(RegionID, by: Int64)
    /// This many frames were silent since the last report, because they were not read in time; all others keep their
    /// positions.
    case underrun(frames: Int)
}
