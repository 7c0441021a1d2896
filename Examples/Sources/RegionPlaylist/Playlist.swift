// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media
import Playing

/// A list that adds regions of one file after the other to a player's timeline.
struct Playlist {
    private let player: ScheduledFilePlayer
    /// The player's frame after the last region.
    private(set) var end: Int64 = 0

    init(_ player: ScheduledFilePlayer) { self.player = player }

    /// Adds the regions of a file.
    /// - Throws: the error of opening the file, or a `Refusal` if the file is too short.
    mutating func append(_ path: String) throws {
        // Frames of a region are counted at the file's rate, independent of the player's.
        let reader = try AudioFileReader(path: path, format: player.format)
        let rate = reader.fileFormat.sampleRate
        let file = ScheduledFile(reader, rate: rate)
        guard let length = file.length, length > 1 else {
            throw Refusal("\(path) is too short: it has fewer than two frames")
        }
        let half = length / 2

        // A region without a time follows the one before; a loop count is the number of repetitions.
        try schedule(FileRegion(file, startFrame: half), "\(path), second half", frames: length - half, rate)
        let start = min(length, Int64(rate / 10))
        try schedule(
            FileRegion(file, frames: start, loopCount: 2), "\(path), beginning, three times", frames: start * 3, rate)
        end += player.format.frames(in: .milliseconds(500))
        try schedule(
            FileRegion(file, startFrame: half, at: end), "\(path), second half again", frames: length - half, rate)
    }

    /// Schedules a region.
    /// - Parameter frames: the frames of the file, at `rate` of them a second, including repetitions.
    private mutating func schedule(_ region: FileRegion, _ name: String, frames: Int64, _ rate: Int) throws {
        try player.schedule(region, kinds: [.heard]) { completion in
            print("\(name): \(completion.reason) at frame \(completion.frame)")
        }
        // Rounded up, so that `end` is never before the region's end if the rates differ.
        end += (frames * Int64(player.format.sampleRate) + Int64(rate) - 1) / Int64(rate)
    }
}
