// SPDX-License-Identifier: GPL-3.0-or-later
import AudioEngine
import AudioFiles
import Media
import Playing

/// Puts regions of file after file on a player's timeline.
struct Playlist {
    private let player: ScheduledFilePlayer
    /// The player's frame behind the last region.
    private(set) var end: Int64 = 0

    init(_ player: ScheduledFilePlayer) { self.player = player }

    /// - Throws: what opening the file throws, and a `Refusal` where there is too little of it.
    mutating func append(_ path: String) throws {
        // Frames of a region are counted at the file's own rate, whatever the player's is.
        let reader = try AudioFileReader(path: path, format: player.format)
        let rate = reader.fileFormat.sampleRate
        let file = ScheduledFile(reader, rate: rate)
        guard let length = file.length, length > 1 else { throw Refusal("\(path) has no two halves") }
        let half = length / 2

        // Without a time each follows the one before; a loop count is how often it is played again.
        try schedule(FileRegion(file, startFrame: half), "\(path), second half", frames: length - half, rate)
        let start = min(length, Int64(rate / 10))
        try schedule(
            FileRegion(file, frames: start, loopCount: 2), "\(path), beginning, three times", frames: start * 3, rate)
        end += player.format.frames(in: .milliseconds(500))
        try schedule(
            FileRegion(file, startFrame: half, at: end), "\(path), second half again", frames: length - half, rate)
    }

    /// - Parameter frames: of the file, at `rate` of them a second, repetitions included.
    private mutating func schedule(_ region: FileRegion, _ name: String, frames: Int64, _ rate: Int) throws {
        try player.schedule(region, kinds: [.heard]) { completion in
            print("\(name): \(completion.reason) at frame \(completion.frame)")
        }
        // Not before the region's end, be it that the rates differ.
        end += (frames * Int64(player.format.sampleRate) + Int64(rate) - 1) / Int64(rate)
    }
}
