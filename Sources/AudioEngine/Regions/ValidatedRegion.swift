// SPDX-License-Identifier: GPL-3.0-or-later
import Media

/// The validated section of a file that a region plays: its frames, its passes, and the ratio of the rates.
struct ValidatedRegion: Sendable {
    let file: ScheduledFile
    let startFrame: Int64
    /// The number of the file's frames in one pass, 1 or more.
    let frames: Int64
    /// The number of the file's frames in all passes together; `nil` without end.
    let total: Int64?
    let ratio: RateRatio

    /// The limit of all positions: far enough for any use, and near enough that no sum below overflows.
    static var farthest: Int64 { @_noLocks @_noAllocation get { 1 << 50 } }

    init(_ region: FileRegion, format: AudioFormat) throws(RegionError) {
        file = region.file
        guard file.format == format else { throw .formatDiffers(file: file.format, player: format) }
        guard region.startFrame >= 0 else { throw .negativeStartFrame(region.startFrame) }
        startFrame = region.startFrame
        frames = try Self.frames(of: region)
        total = try Self.total(frames, region.loopCount)
        ratio = RateRatio(from: file.rate, to: format.sampleRate)
    }

    /// Returns the end of the last pass if the first one begins at `start`.
    func end(from start: ExactFrame) -> ExactFrame? {
        total.map { start.adding($0, of: ratio) }
    }

    private static func frames(of region: FileRegion) throws(RegionError) -> Int64 {
        let length = region.file.length
        guard let all = length.map({ $0 - region.startFrame }) ?? region.frames else { throw .unknownLength }
        let frames = region.frames ?? all
        guard frames > 0 else { throw .noFrames(frames) }
        guard frames <= farthest, region.startFrame <= farthest else { throw .tooLong }
        if let length, frames > all { throw .outsideFile(end: region.startFrame + frames, length: length) }
        return frames
    }

    private static func total(_ frames: Int64, _ loopCount: Int?) throws(RegionError) -> Int64? {
        guard let loopCount else { return nil }
        guard loopCount >= 0 else { throw .negativeLoopCount(loopCount) }
        let (total, overflow) = frames.multipliedReportingOverflow(by: Int64(loopCount).addingClamped(1))
        guard !overflow, total <= farthest else { throw .tooLong }
        return total
    }
}
