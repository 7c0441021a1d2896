// SPDX-License-Identifier: GPL-3.0-or-later

/// Sums of the frames of an item that a device has played.
public struct PlayedFrames: Sendable, Equatable {
    /// The frames of the output.
    public private(set) var output: Int64 = 0
    /// The frames of the source that they represent.
    public private(set) var source: Int64 = 0
    /// The frames of the source that shortened pauses omitted.
    public private(set) var cut: Int64 = 0

    public init() {}

    mutating func add(_ run: FrameRun) {
        output += Int64(run.frames)
        source += Int64(run.sourceFrames)
        cut += Int64(run.cutFrames)
    }
}
